// A wave as Devito writes it: three buffers that rotate, powers of the spacing,
// and timers around the loop, whose time goes to memory of the caller's.
!field = !stencil.field<[-1,31]x[-1,21]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @wave(%u0: !field, %u1: !field, %u2: !field, %timers: !llvm.ptr) {
  %start = call @timer_start() : () -> f64
  %lower = arith.constant 1 : index
  %upper = arith.constant 8 : index
  %step = arith.constant 1 : index
  %r:3 = scf.for %time = %lower to %upper step %step iter_args(%t0 = %u0, %t1 = %u1, %t2 = %u2) -> (!field, !field, !field) {
    %now = stencil.load %t0 : !field -> !temp
    %old = stencil.load %t2 : !field -> !temp
    %new = stencil.apply(%x = %now : !temp, %y = %old : !temp) -> (!temp) {
      %h = arith.constant 1.5 : f32
      %m2 = arith.constant -2 : i64
      %w = math.fpowi %h, %m2 : f32, i64
      %n = stencil.access %x[-1, 0] : !temp
      %s = stencil.access %x[1, 0] : !temp
      %e = stencil.access %x[0, 1] : !temp
      %c = stencil.access %x[0, 0] : !temp
      %o = stencil.access %y[0, 0] : !temp
      %ns = arith.addf %n, %s : f32
      %nse = arith.addf %ns, %e : f32
      %wns = arith.mulf %w, %nse : f32
      %cc = arith.addf %c, %wns : f32
      %co = arith.subf %cc, %o : f32
      stencil.return %co : f32
    }
    stencil.store %new to %t1(<[0, 0], [30, 20]>) : !temp to !field
    scf.yield %t1, %t2, %t0 : !field, !field, !field
  }
  %end = call @timer_end(%start) : (f64) -> f64
  llvm.store %end, %timers : f64, !llvm.ptr
  return
}
func.func private @timer_start() -> f64
func.func private @timer_end(f64) -> f64
