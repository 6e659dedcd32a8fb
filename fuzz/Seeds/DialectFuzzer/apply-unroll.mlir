func.func @unroll(%t: !stencil.temp<[0,66]x[0,64]xf16>) {
  %r:2 = stencil.apply(%x = %t : !stencil.temp<[0,66]x[0,64]xf16>) -> (!stencil.temp<[0,64]x[0,64]xf16>, !stencil.temp<[0,64]x[0,64]xf16>) {
    %a = stencil.access %x[0, 0] : !stencil.temp<[0,66]x[0,64]xf16>
    %b = stencil.access %x[3, 1] : !stencil.temp<[0,66]x[0,64]xf16>
    stencil.return %a, %a, %a, %b, %b, %b, %b, %a unroll <[2, 2]> : f16, f16, f16, f16, f16, f16, f16, f16
  }
  return
}
