// A star of radius 4 of half precision, for schedules that cannot be obeyed.

!field = !stencil.field<[-4,36]x[-4,36]x[-4,132]xf16>
!temp = !stencil.temp<?x?x?xf16>

func.func @star(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-4, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -4], [0, 0, 0], [0, 0, 4], [0, 1, 0], [1, 0, 0], [4, 0, 0]] weights dense<0.125> : tensor<9xf16> : !temp
    stencil.return %s : f16
  }
  stencil.store %r to %v(<[0, 0, 0], [32, 32, 128]>) : !temp to !field
  return
}
