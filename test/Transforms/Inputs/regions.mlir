// An acoustic wave with damping layers on all sides: unified, of which stencil-split-regions makes 7 regions.

!field = !stencil.field<[-2,34]x[-2,26]x[-2,50]xf64>
!temp = !stencil.temp<?x?x?xf64>
#schedule = #stencil.schedule<regions = launch>

func.func @wave(%a: !field, %b: !field, %eta: !field, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %steps step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %tu = stencil.load %u : !field -> !temp
    %tv = stencil.load %v : !field -> !temp
    %te = stencil.load %eta : !field -> !temp
    %new = stencil.apply(%x = %tu : !temp, %o = %tv : !temp, %e = %te : !temp) -> (!temp) attributes {stencil.schedule = #schedule} {
      %k = stencil.index 0 <[0, 0, 0]>
      %j = stencil.index 1 <[0, 0, 0]>
      %l = stencil.index 2 <[0, 0, 0]>
      %c5 = arith.constant 5 : index
      %c27 = arith.constant 27 : index
      %c20 = arith.constant 20 : index
      %c44 = arith.constant 44 : index
      %k0 = arith.cmpi slt, %k, %c5 : index
      %k1 = arith.cmpi sge, %k, %c27 : index
      %j0 = arith.cmpi slt, %j, %c5 : index
      %j1 = arith.cmpi sge, %j, %c20 : index
      %l0 = arith.cmpi slt, %l, %c5 : index
      %l1 = arith.cmpi sge, %l, %c44 : index
      %ok = arith.ori %k0, %k1 : i1
      %oj = arith.ori %j0, %j1 : i1
      %ol = arith.ori %l0, %l1 : i1
      %okj = arith.ori %ok, %oj : i1
      %layer = arith.ori %okj, %ol : i1
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
    stencil.store %new to %v(<[0, 0, 0], [32, 24, 48]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
