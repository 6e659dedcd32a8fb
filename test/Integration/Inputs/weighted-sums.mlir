!field = !stencil.field<[-4,20]x[-4,30]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @sums(%in: !field, %out: !field, %c: f64) {
  %t = stencil.load %in : !field -> !temp
  %r = stencil.apply(%x = %t : !temp, %k = %c : f64) -> (!temp) {
    %a = stencil.weighted_sum %x offsets [[-1, 0], [0, 0], [1, 2]] weights dense<[1.0, -2.5, 0.0]> : tensor<3xf64> : !temp
    %i = stencil.index 1 <[0, 0]>
    %ii = arith.index_cast %i : index to i32
    %if = arith.sitofp %ii : i32 to f64
    %p = arith.mulf %a, %if : f64
    %b = stencil.weighted_sum %p offsets [[0, -1], [0, 0], [1, 1]] weights (%k, %k, %k) : f64
    %d = stencil.weighted_sum %b fastmath<reassoc> offsets [[0, -1], [0, 0], [1, 1]] weights dense<[1.0, -1.0, 3.0]> : tensor<3xf64> : f64
    stencil.return %d : f64
  }
  stencil.store %r to %out(<[0, 0], [16, 26]>) : !temp to !field
  return
}
