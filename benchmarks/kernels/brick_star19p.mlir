// brick_star19p: 19 points, 4 weights. Made by benchmarks/generate.py.

!field = !stencil.field<[-3,?+3]x[-3,?+3]x[-3,?+3]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @brick_star19p(%arg0: !stencil.field<?x?x?xf64>, %arg1: !stencil.field<?x?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %x0_0 = stencil.access %x[0, 0, 0] : !temp
      %w0 = arith.constant 0.06621886 : f64
      %m0 = arith.mulf %w0, %x0_0 : f64
      %x1_0 = stencil.access %x[-1, 0, 0] : !temp
      %x1_1 = stencil.access %x[0, -1, 0] : !temp
      %s1_1 = arith.addf %x1_0, %x1_1 : f64
      %x1_2 = stencil.access %x[0, 0, -1] : !temp
      %s1_2 = arith.addf %s1_1, %x1_2 : f64
      %x1_3 = stencil.access %x[0, 0, 1] : !temp
      %s1_3 = arith.addf %s1_2, %x1_3 : f64
      %x1_4 = stencil.access %x[0, 1, 0] : !temp
      %s1_4 = arith.addf %s1_3, %x1_4 : f64
      %x1_5 = stencil.access %x[1, 0, 0] : !temp
      %s1_5 = arith.addf %s1_4, %x1_5 : f64
      %w1 = arith.constant 0.05349606 : f64
      %m1 = arith.mulf %w1, %s1_5 : f64
      %a1 = arith.addf %m0, %m1 : f64
      %x2_0 = stencil.access %x[-2, 0, 0] : !temp
      %x2_1 = stencil.access %x[0, -2, 0] : !temp
      %s2_1 = arith.addf %x2_0, %x2_1 : f64
      %x2_2 = stencil.access %x[0, 0, -2] : !temp
      %s2_2 = arith.addf %s2_1, %x2_2 : f64
      %x2_3 = stencil.access %x[0, 0, 2] : !temp
      %s2_3 = arith.addf %s2_2, %x2_3 : f64
      %x2_4 = stencil.access %x[0, 2, 0] : !temp
      %s2_4 = arith.addf %s2_3, %x2_4 : f64
      %x2_5 = stencil.access %x[2, 0, 0] : !temp
      %s2_5 = arith.addf %s2_4, %x2_5 : f64
      %w2 = arith.constant 0.04077326 : f64
      %m2 = arith.mulf %w2, %s2_5 : f64
      %a2 = arith.addf %a1, %m2 : f64
      %x3_0 = stencil.access %x[-3, 0, 0] : !temp
      %x3_1 = stencil.access %x[0, -3, 0] : !temp
      %s3_1 = arith.addf %x3_0, %x3_1 : f64
      %x3_2 = stencil.access %x[0, 0, -3] : !temp
      %s3_2 = arith.addf %s3_1, %x3_2 : f64
      %x3_3 = stencil.access %x[0, 0, 3] : !temp
      %s3_3 = arith.addf %s3_2, %x3_3 : f64
      %x3_4 = stencil.access %x[0, 3, 0] : !temp
      %s3_4 = arith.addf %s3_3, %x3_4 : f64
      %x3_5 = stencil.access %x[3, 0, 0] : !temp
      %s3_5 = arith.addf %s3_4, %x3_5 : f64
      %w3 = arith.constant 0.06135918 : f64
      %m3 = arith.mulf %w3, %s3_5 : f64
      %a3 = arith.addf %a2, %m3 : f64
      stencil.return %a3 : f64
    }
    stencil.store %new to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
