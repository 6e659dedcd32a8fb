// An apply that is called once, one like it, and a sum of two fields with a
// number that only the run knows.
!field = !stencil.field<[-1,41]x[-1,33]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @timed(%u: !field, %v: !field, %w: !field, %k: f64) {
  %0 = stencil.load %u : !field -> !temp
  %1 = stencil.apply(%x = %0 : !temp) -> (!temp) {
    %a = stencil.access %x[-1, 0] : !temp
    %b = stencil.access %x[0, 1] : !temp
    %s = arith.addf %a, %b : f64
    stencil.return %s : f64
  }
  stencil.store %1 to %v(<[0, 0], [40, 32]>) : !temp to !field
  %2 = stencil.load %v : !field -> !temp
  %3 = stencil.apply(%x = %0 : !temp, %y = %2 : !temp, %q = %k : f64) -> (!temp) {
    %a = stencil.access %x[1, 0] : !temp
    %b = stencil.access %y[0, -1] : !temp
    %p = arith.mulf %b, %q : f64
    %s = arith.addf %a, %p : f64
    stencil.return %s : f64
  }
  stencil.store %3 to %w(<[0, 0], [40, 32]>) : !temp to !field
  return
}
