// Three steps, of which the last reads two of the values before.

!field = !stencil.field<[-4,?+4]xf32>
!temp = !stencil.temp<?xf32>

func.func @chain_1d(%arg0: !stencil.field<?xf32>, %arg1: !stencil.field<?xf32>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?xf32> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?xf32> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %l = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.25, 0.5, 0.25]> : tensor<3xf32> : !temp
      %q = arith.mulf %l, %l : f32
      %m = stencil.weighted_sum %q offsets [[-1], [1]] weights dense<0.5> : tensor<2xf32> : f32
      %d = arith.subf %m, %l : f32
      %s = stencil.weighted_sum %d offsets [[-2], [0], [1]] weights dense<0.25> : tensor<3xf32> : f32
      %p = arith.addf %s, %q : f32
      stencil.return %p : f32
    }
    stencil.store %new to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
