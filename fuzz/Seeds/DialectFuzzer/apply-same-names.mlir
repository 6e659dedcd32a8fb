func.func @same_names(%t: !stencil.temp<?xf64>) {
  %v = stencil.apply(%t = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %t[0] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return
}
