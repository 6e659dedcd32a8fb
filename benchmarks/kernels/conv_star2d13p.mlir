// conv_star2d13p: 13 points, 13 weights. Made by benchmarks/generate.py.

!field = !stencil.field<[-3,?+3]x[-3,?+3]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @conv_star2d13p(%arg0: !stencil.field<?x?xf64>, %arg1: !stencil.field<?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %x0_0 = stencil.access %x[-3, 0] : !temp
      %w0 = arith.constant 0.09914741 : f64
      %m0 = arith.mulf %w0, %x0_0 : f64
      %x1_0 = stencil.access %x[-2, 0] : !temp
      %w1 = arith.constant 0.08009797 : f64
      %m1 = arith.mulf %w1, %x1_0 : f64
      %a1 = arith.addf %m0, %m1 : f64
      %x2_0 = stencil.access %x[-1, 0] : !temp
      %w2 = arith.constant 0.06104852 : f64
      %m2 = arith.mulf %w2, %x2_0 : f64
      %a2 = arith.addf %a1, %m2 : f64
      %x3_0 = stencil.access %x[0, -3] : !temp
      %w3 = arith.constant 0.09187117 : f64
      %m3 = arith.mulf %w3, %x3_0 : f64
      %a3 = arith.addf %a2, %m3 : f64
      %x4_0 = stencil.access %x[0, -2] : !temp
      %w4 = arith.constant 0.07282173 : f64
      %m4 = arith.mulf %w4, %x4_0 : f64
      %a4 = arith.addf %a3, %m4 : f64
      %x5_0 = stencil.access %x[0, -1] : !temp
      %w5 = arith.constant 0.05377228 : f64
      %m5 = arith.mulf %w5, %x5_0 : f64
      %a5 = arith.addf %a4, %m5 : f64
      %x6_0 = stencil.access %x[0, 0] : !temp
      %w6 = arith.constant 0.08459493 : f64
      %m6 = arith.mulf %w6, %x6_0 : f64
      %a6 = arith.addf %a5, %m6 : f64
      %x7_0 = stencil.access %x[0, 1] : !temp
      %w7 = arith.constant 0.06554549 : f64
      %m7 = arith.mulf %w7, %x7_0 : f64
      %a7 = arith.addf %a6, %m7 : f64
      %x8_0 = stencil.access %x[0, 2] : !temp
      %w8 = arith.constant 0.09636814 : f64
      %m8 = arith.mulf %w8, %x8_0 : f64
      %a8 = arith.addf %a7, %m8 : f64
      %x9_0 = stencil.access %x[0, 3] : !temp
      %w9 = arith.constant 0.07731869 : f64
      %m9 = arith.mulf %w9, %x9_0 : f64
      %a9 = arith.addf %a8, %m9 : f64
      %x10_0 = stencil.access %x[1, 0] : !temp
      %w10 = arith.constant 0.05826925 : f64
      %m10 = arith.mulf %w10, %x10_0 : f64
      %a10 = arith.addf %a9, %m10 : f64
      %x11_0 = stencil.access %x[2, 0] : !temp
      %w11 = arith.constant 0.0890919 : f64
      %m11 = arith.mulf %w11, %x11_0 : f64
      %a11 = arith.addf %a10, %m11 : f64
      %x12_0 = stencil.access %x[3, 0] : !temp
      %w12 = arith.constant 0.07004245 : f64
      %m12 = arith.mulf %w12, %x12_0 : f64
      %a12 = arith.addf %a11, %m12 : f64
      stencil.return %a12 : f64
    }
    stencil.store %new to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
