func.func @two_axes(%t: !stencil.temp<[-1,65]x[0,64]xf32>) {
  %r:2 = stencil.apply(%x = %t : !stencil.temp<[-1,65]x[0,64]xf32>) -> (!stencil.temp<[0,64]x[0,64]xf32>, !stencil.temp<[0,64]x[0,64]xi1>) {
    %a = stencil.access %x[-1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
    %b = stencil.access %x[1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
    %c = arith.cmpf olt, %a, %b : f32
    stencil.return %a, %c : f32, i1
  }
  return
}
