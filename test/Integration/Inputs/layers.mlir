// An acoustic wave with a damping layer at both ends of the rows: of which stencil-split-regions makes 3 regions.

!field = !stencil.field<[-2,15]x[-2,21]x[-2,47]xf64>
!temp = !stencil.temp<?x?x?xf64>
#schedule = #stencil.schedule<@SCHEDULE@>

func.func @wave(%a: !field, %b: !field, %eta: !field, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %steps step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %tu = stencil.load %u : !field -> !temp
    %tv = stencil.load %v : !field -> !temp
    %te = stencil.load %eta : !field -> !temp
    %new = stencil.apply(%x = %tu : !temp, %o = %tv : !temp, %e = %te : !temp) -> (!temp) attributes {stencil.schedule = #schedule} {
      %l = stencil.index 2 <[0, 0, 0]>
      %c5 = arith.constant 5 : index
      %c38 = arith.constant 38 : index
      %l0 = arith.cmpi slt, %l, %c5 : index
      %l1 = arith.cmpi sge, %l, %c38 : index
      %layer = arith.ori %l0, %l1 : i1
      %lap = stencil.weighted_sum %x offsets [[-2, 0, 0], [-1, 0, 0], [0, -2, 0], [0, -1, 0], [0, 0, -2], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0]] weights dense<[-0.0125, 0.2, -0.0125, 0.2, -0.0125, 0.2, 0.875, 0.2, -0.0125, 0.2, -0.0125, 0.2, -0.0125]> : tensor<13xf64> : !temp
      %old = stencil.access %o[0, 0, 0] : !temp
      %res = scf.if %layer -> (f64) {
        %d = stencil.access %e[0, 0, 0] : !temp
        %before = stencil.access %e[0, 0, -1] : !temp
        %after = stencil.access %e[0, 0, 1] : !temp
        %slope = arith.subf %after, %before : f64
        %damped = arith.mulf %d, %old : f64
        %sum = arith.subf %lap, %damped : f64
        %all = arith.addf %sum, %slope : f64
        scf.yield %all : f64
      } else {
        %sum = arith.subf %lap, %old : f64
        scf.yield %sum : f64
      }
      stencil.return %res : f64
    }
    stencil.store %new to %v(<[0, 0, 0], [13, 19, 45]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
