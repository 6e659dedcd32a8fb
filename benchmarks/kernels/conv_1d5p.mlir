// conv_1d5p: 5 points, 5 weights. Made by benchmarks/generate.py.

!field = !stencil.field<[-2,?+2]xf64>
!temp = !stencil.temp<?xf64>

func.func @conv_1d5p(%arg0: !stencil.field<?xf64>, %arg1: !stencil.field<?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %x0_0 = stencil.access %x[-2] : !temp
      %w0 = arith.constant 0.24481395 : f64
      %m0 = arith.mulf %w0, %x0_0 : f64
      %x1_0 = stencil.access %x[-1] : !temp
      %w1 = arith.constant 0.19777722 : f64
      %m1 = arith.mulf %w1, %x1_0 : f64
      %a1 = arith.addf %m0, %m1 : f64
      %x2_0 = stencil.access %x[0] : !temp
      %w2 = arith.constant 0.1507405 : f64
      %m2 = arith.mulf %w2, %x2_0 : f64
      %a2 = arith.addf %a1, %m2 : f64
      %x3_0 = stencil.access %x[1] : !temp
      %w3 = arith.constant 0.22684752 : f64
      %m3 = arith.mulf %w3, %x3_0 : f64
      %a3 = arith.addf %a2, %m3 : f64
      %x4_0 = stencil.access %x[2] : !temp
      %w4 = arith.constant 0.17981079 : f64
      %m4 = arith.mulf %w4, %x4_0 : f64
      %a4 = arith.addf %a3, %m4 : f64
      stencil.return %a4 : f64
    }
    stencil.store %new to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
