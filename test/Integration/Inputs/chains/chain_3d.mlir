// Three steps of a star, each of the square of the one before.

!field = !stencil.field<[-3,?+3]x[-3,?+3]x[-3,?+3]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @chain_3d(%arg0: !stencil.field<?x?x?xf64>, %arg1: !stencil.field<?x?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %k = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.125> : tensor<7xf64> : !temp
      %l = arith.mulf %k, %k : f64
      %m = stencil.weighted_sum %l offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.125> : tensor<7xf64> : f64
      %n = arith.mulf %m, %k : f64
      %p = stencil.weighted_sum %n offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.125> : tensor<7xf64> : f64
      stencil.return %p : f64
    }
    stencil.store %new to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
