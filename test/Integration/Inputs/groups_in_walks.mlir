// Three fields with derivatives along all axes: products of sums of one field, a sum over all of them, and values at
// the point itself.
!field = !stencil.field<[-2,?+2]x[-2,?+2]x[-4,?+4]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @groups(%u: !field, %v: !field, %w: !field, %o: !field, %p: !field) {
  %x = stencil.load %u : !field -> !temp
  %y = stencil.load %v : !field -> !temp
  %z = stencil.load %w : !field -> !temp
  %r, %s = stencil.apply(%a = %x : !temp, %b = %y : !temp, %c = %z : !temp) -> (!temp, !temp) {
    %ax = stencil.weighted_sum %a offsets [[0, 0, -2], [0, 0, -1], [0, 0, 1], [0, 0, 2]] weights dense<[0.125, -0.75, 0.75, -0.125]> : tensor<4xf64> : !temp
    %by = stencil.weighted_sum %b offsets [[0, -1, 0], [0, 1, 0]] weights dense<[-0.5, 0.5]> : tensor<2xf64> : !temp
    %cz = stencil.weighted_sum %c offsets [[-2, 0, 0], [-1, 0, 0], [1, 0, 0], [2, 0, 0]] weights dense<[0.125, -0.75, 0.75, -0.125]> : tensor<4xf64> : !temp
    %az = stencil.weighted_sum %a offsets [[-1, 0, 0], [1, 0, 0]] weights dense<[-0.5, 0.5]> : tensor<2xf64> : !temp
    %lb = stencil.weighted_sum %b offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<[0.25, 0.5, 0.5, -2.5, 0.5, 0.5, 0.25]> : tensor<7xf64> : !temp
    %cxz = stencil.weighted_sum %c offsets [[-1, 0, -1], [-1, 0, 1], [1, 0, -1], [1, 0, 1]] weights dense<[0.25, -0.25, -0.25, 0.25]> : tensor<4xf64> : !temp
    %xy = arith.addf %ax, %by : f64
    %div = arith.addf %xy, %cz : f64
    %a0 = stencil.access %a[0, 0, 0] : !temp
    %c0 = stencil.access %c[0, 0, 0] : !temp
    %m = arith.mulf %az, %lb : f64
    %n = arith.mulf %a0, %div : f64
    %q = arith.addf %m, %n : f64
    %t = arith.mulf %cxz, %c0 : f64
    stencil.return %q, %t : f64, f64
  }
  stencil.store %r to %o(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  stencil.store %s to %p(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
