// v = (u_l + u_r) / 2, on the points of a line.
func.func @smooth(%u: !stencil.field<[-1,?+1]xf64>, %v: !stencil.field<[-1,?+1]xf64>) {
  %in = stencil.load %u : !stencil.field<[-1,?+1]xf64> -> !stencil.temp<?xf64>
  %out = stencil.apply(%x = %in : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %x[-1] : !stencil.temp<?xf64>
    %r = stencil.access %x[1] : !stencil.temp<?xf64>
    %sum = arith.addf %l, %r : f64
    %half = arith.constant 0.5 : f64
    %mean = arith.mulf %sum, %half : f64
    stencil.return %mean : f64
  }
  stencil.store %out to %v(<[0], [?]>) : !stencil.temp<?xf64> to !stencil.field<[-1,?+1]xf64>
  return
}
