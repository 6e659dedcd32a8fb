func.func @identity_mapping(%a: !stencil.temp<?x?xf64>) -> !stencil.temp<?x?xf64> {
  %r = stencil.apply(%x = %a : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %u = "stencil.access"(%x) {offset = #stencil.index<[1, 2]>, offset_mapping = #stencil.index<[0, 1]>} : (!stencil.temp<?x?xf64>) -> f64
    stencil.return %u : f64
  }
  return %r : !stencil.temp<?x?xf64>
}
