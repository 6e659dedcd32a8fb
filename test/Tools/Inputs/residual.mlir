// Returns a number.
!f = !stencil.field<[-1,33]x[-1,41]xf64>
func.func @residual(%a: !f, %b: !f) -> f64 {
  %t = stencil.load %a : !f -> !stencil.temp<?x?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %w = stencil.access %x[0, -1] : !stencil.temp<?x?xf64>
    %e = stencil.access %x[1, 0] : !stencil.temp<?x?xf64>
    %s = arith.subf %w, %e : f64
    stencil.return %s : f64
  }
  stencil.store %r to %b(<[0, 0], [32, 40]>) : !stencil.temp<?x?xf64> to !f
  %m = stencil.fold %b(<[0, 0], [32, 40]>) max : !f
  return %m : f64
}
