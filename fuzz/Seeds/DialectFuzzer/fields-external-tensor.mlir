func.func @external_tensor(%m: memref<16x16x512xf32>) {
  %0 = stencil.external_load %m : memref<16x16x512xf32> -> !stencil.field<[0,16]x[0,16]xtensor<512xf32>>
  return
}
