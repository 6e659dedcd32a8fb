// Damping layers around a square; stencil-split-regions=regions=two makes two
// applies of it, of which one has all points and stores nothing in the interior.

!field = !stencil.field<[-1,41]x[-1,41]xf64>
!temp = !stencil.temp<?x?xf64>
#schedule = #stencil.schedule<regions = launch>

func.func @heat(%a: !field, %b: !field, %eta: !field, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %te = stencil.load %eta : !field -> !temp
  %r:2 = scf.for %i = %zero to %steps step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %tu = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %tu : !temp, %e = %te : !temp) -> (!temp) attributes {stencil.schedule = #schedule} {
      %j = stencil.index 0 <[0, 0]>
      %k = stencil.index 1 <[0, 0]>
      %c3 = arith.constant 3 : index
      %c35 = arith.constant 35 : index
      %j0 = arith.cmpi slt, %j, %c3 : index
      %j1 = arith.cmpi sge, %j, %c35 : index
      %k0 = arith.cmpi slt, %k, %c3 : index
      %k1 = arith.cmpi sge, %k, %c35 : index
      %oj = arith.ori %j0, %j1 : i1
      %ok = arith.ori %k0, %k1 : i1
      %layer = arith.ori %oj, %ok : i1
      %mean = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      %res = scf.if %layer -> (f64) {
        %d = stencil.access %e[0, 0] : !temp
        %damped = arith.mulf %d, %mean : f64
        scf.yield %damped : f64
      } else {
        scf.yield %mean : f64
      }
      stencil.return %res : f64
    }
    stencil.store %new to %v(<[0, 0], [40, 40]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
