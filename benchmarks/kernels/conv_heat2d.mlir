// conv_heat2d: 5 points, 2 weights. Made by benchmarks/generate.py.

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @conv_heat2d(%arg0: !stencil.field<?x?xf64>, %arg1: !stencil.field<?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %x0_0 = stencil.access %x[0, 0] : !temp
      %w0 = arith.constant 0.23632213 : f64
      %m0 = arith.mulf %w0, %x0_0 : f64
      %x1_0 = stencil.access %x[-1, 0] : !temp
      %x1_1 = stencil.access %x[0, -1] : !temp
      %s1_1 = arith.addf %x1_0, %x1_1 : f64
      %x1_2 = stencil.access %x[0, 1] : !temp
      %s1_2 = arith.addf %s1_1, %x1_2 : f64
      %x1_3 = stencil.access %x[1, 0] : !temp
      %s1_3 = arith.addf %s1_2, %x1_3 : f64
      %w1 = arith.constant 0.19091696 : f64
      %m1 = arith.mulf %w1, %s1_3 : f64
      %a1 = arith.addf %m0, %m1 : f64
      stencil.return %a1 : f64
    }
    stencil.store %new to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
