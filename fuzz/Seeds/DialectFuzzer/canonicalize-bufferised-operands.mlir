func.func @bufferised_operands(%f: !stencil.field<[0,8]xf64>, %g: !stencil.field<[0,8]xf64>) {
  stencil.apply(%w = %g : !stencil.field<[0,8]xf64>, %x = %f : !stencil.field<[0,8]xf64>, %y = %f : !stencil.field<[0,8]xf64>) outs (%g : !stencil.field<[0,8]xf64>) {
    %u = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    %v = stencil.access %y[1] : !stencil.field<[0,8]xf64>
    %s = arith.addf %u, %v : f64
    stencil.return %s : f64
  } to <[0], [7]>
  return
}
