// conv_box2d9p: 9 points, 9 weights. Made by benchmarks/generate.py.

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @conv_box2d9p(%arg0: !stencil.field<?x?xf64>, %arg1: !stencil.field<?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %x0_0 = stencil.access %x[-1, -1] : !temp
      %w0 = arith.constant 0.14057985 : f64
      %m0 = arith.mulf %w0, %x0_0 : f64
      %x1_0 = stencil.access %x[-1, 0] : !temp
      %w1 = arith.constant 0.11356988 : f64
      %m1 = arith.mulf %w1, %x1_0 : f64
      %a1 = arith.addf %m0, %m1 : f64
      %x2_0 = stencil.access %x[-1, 1] : !temp
      %w2 = arith.constant 0.08655992 : f64
      %m2 = arith.mulf %w2, %x2_0 : f64
      %a2 = arith.addf %a1, %m2 : f64
      %x3_0 = stencil.access %x[0, -1] : !temp
      %w3 = arith.constant 0.13026296 : f64
      %m3 = arith.mulf %w3, %x3_0 : f64
      %a3 = arith.addf %a2, %m3 : f64
      %x4_0 = stencil.access %x[0, 0] : !temp
      %w4 = arith.constant 0.10325299 : f64
      %m4 = arith.mulf %w4, %x4_0 : f64
      %a4 = arith.addf %a3, %m4 : f64
      %x5_0 = stencil.access %x[0, 1] : !temp
      %w5 = arith.constant 0.07624303 : f64
      %m5 = arith.mulf %w5, %x5_0 : f64
      %a5 = arith.addf %a4, %m5 : f64
      %x6_0 = stencil.access %x[1, -1] : !temp
      %w6 = arith.constant 0.11994607 : f64
      %m6 = arith.mulf %w6, %x6_0 : f64
      %a6 = arith.addf %a5, %m6 : f64
      %x7_0 = stencil.access %x[1, 0] : !temp
      %w7 = arith.constant 0.09293611 : f64
      %m7 = arith.mulf %w7, %x7_0 : f64
      %a7 = arith.addf %a6, %m7 : f64
      %x8_0 = stencil.access %x[1, 1] : !temp
      %w8 = arith.constant 0.13663915 : f64
      %m8 = arith.mulf %w8, %x8_0 : f64
      %a8 = arith.addf %a7, %m8 : f64
      stencil.return %a8 : f64
    }
    stencil.store %new to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
