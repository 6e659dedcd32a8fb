func.func @duplicate_operand(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?xf64>) -> !stencil.temp<?xf64> {
  %r = stencil.apply(%x = %a : !stencil.temp<?xf64>, %y = %b : !stencil.temp<?xf64>, %z = %a : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %u = stencil.access %x[0] : !stencil.temp<?xf64>
    %v = stencil.access %y[1] : !stencil.temp<?xf64>
    %w = stencil.access %z[2] : !stencil.temp<?xf64>
    %s = arith.addf %u, %v : f64
    %t = arith.addf %s, %w : f64
    stencil.return %t : f64
  }
  return %r : !stencil.temp<?xf64>
}
