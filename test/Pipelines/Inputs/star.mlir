// A star of radius 4, for schedules that cannot be obeyed.

!field = !stencil.field<[-4,36]x[-4,36]x[-4,132]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @star(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-4, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -4], [0, 0, 0], [0, 0, 4], [0, 1, 0], [1, 0, 0], [4, 0, 0]] weights dense<0.125> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [32, 32, 128]>) : !temp to !field
  return
}
