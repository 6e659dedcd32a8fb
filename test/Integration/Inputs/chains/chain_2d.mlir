// Two steps that read farther on one side than on the other, and two products
// that are needed at other points each.

!field = !stencil.field<[-5,?+5]x[-5,?+5]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @chain_2d(%arg0: !stencil.field<?x?xf64>, %arg1: !stencil.field<?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %l = stencil.weighted_sum %x offsets [[-2, 0], [0, -1], [0, 0], [0, 2], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
      %a = stencil.access %x[0, 0] : !temp
      %b = arith.mulf %l, %a : f64
      %c = stencil.weighted_sum %l offsets [[-1, 0], [0, 0]] weights dense<0.5> : tensor<2xf64> : f64
      %e = arith.mulf %c, %l : f64
      %m = stencil.weighted_sum %b offsets [[0, -2], [0, 1]] weights dense<0.5> : tensor<2xf64> : f64
      %n = stencil.weighted_sum %e offsets [[-1, 0], [2, 1]] weights dense<0.5> : tensor<2xf64> : f64
      %p = arith.subf %m, %n : f64
      stencil.return %p : f64
    }
    stencil.store %new to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
