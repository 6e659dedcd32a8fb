func.func @combine_tensors(%a: !stencil.temp<?xtensor<8xf32>>) {
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<?xtensor<8xf32>>) upper = (%a : !stencil.temp<?xtensor<8xf32>>) : !stencil.temp<?xtensor<8xf32>>
  return
}
