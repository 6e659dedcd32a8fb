func.func @in_place(%a: !stencil.field<?xf64>) {
  %f = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
  stencil.apply(%x = %f : !stencil.field<[0,?]xf64>) outs (%f : !stencil.field<[0,?]xf64>) {
    %v = stencil.access %x[0] : !stencil.field<[0,?]xf64>
    %w = arith.negf %v : f64
    stencil.return %w : f64
  } to <[1], [?-1]>
  return
}
