// v = a * (west + east) + n, and its largest value. The steps must not be
// negative.
!dynamic = !stencil.field<?xf64>
!field = !stencil.field<[-1,?+1]xf64>

func.func @average(%u: !dynamic, %v: !dynamic, %a: f64, %n: i32) -> (f64, i32) {
  %fu = stencil.cast %u : !dynamic -> !field
  %fv = stencil.cast %v : !dynamic -> !field
  %t = stencil.load %fu : !field -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %w = %a : f64, %i = %n : i32) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %x[-1] : !stencil.temp<?xf64>
    %h = stencil.access %x[1] : !stencil.temp<?xf64>
    %s = arith.addf %l, %h : f64
    %m = arith.mulf %s, %w : f64
    %f = arith.sitofp %i : i32 to f64
    %o = arith.addf %m, %f : f64
    stencil.return %o : f64
  }
  stencil.store %r to %fv(<[0], [?]>) : !stencil.temp<?xf64> to !field
  %max = stencil.fold %r(<[0], [?]>) max : !stencil.temp<?xf64>
  return %max, %n : f64, i32
}
