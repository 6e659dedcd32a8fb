// conv_box3d27p: 27 points, 27 weights. Made by benchmarks/generate.py.

!field = !stencil.field<[-1,?+1]x[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @conv_box3d27p(%arg0: !stencil.field<?x?x?xf64>, %arg1: !stencil.field<?x?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %x0_0 = stencil.access %x[-1, -1, -1] : !temp
      %w0 = arith.constant 0.0489576 : f64
      %m0 = arith.mulf %w0, %x0_0 : f64
      %x1_0 = stencil.access %x[-1, -1, 0] : !temp
      %w1 = arith.constant 0.03955125 : f64
      %m1 = arith.mulf %w1, %x1_0 : f64
      %a1 = arith.addf %m0, %m1 : f64
      %x2_0 = stencil.access %x[-1, -1, 1] : !temp
      %w2 = arith.constant 0.0301449 : f64
      %m2 = arith.mulf %w2, %x2_0 : f64
      %a2 = arith.addf %a1, %m2 : f64
      %x3_0 = stencil.access %x[-1, 0, -1] : !temp
      %w3 = arith.constant 0.0453647 : f64
      %m3 = arith.mulf %w3, %x3_0 : f64
      %a3 = arith.addf %a2, %m3 : f64
      %x4_0 = stencil.access %x[-1, 0, 0] : !temp
      %w4 = arith.constant 0.03595835 : f64
      %m4 = arith.mulf %w4, %x4_0 : f64
      %a4 = arith.addf %a3, %m4 : f64
      %x5_0 = stencil.access %x[-1, 0, 1] : !temp
      %w5 = arith.constant 0.026552 : f64
      %m5 = arith.mulf %w5, %x5_0 : f64
      %a5 = arith.addf %a4, %m5 : f64
      %x6_0 = stencil.access %x[-1, 1, -1] : !temp
      %w6 = arith.constant 0.04177179 : f64
      %m6 = arith.mulf %w6, %x6_0 : f64
      %a6 = arith.addf %a5, %m6 : f64
      %x7_0 = stencil.access %x[-1, 1, 0] : !temp
      %w7 = arith.constant 0.03236544 : f64
      %m7 = arith.mulf %w7, %x7_0 : f64
      %a7 = arith.addf %a6, %m7 : f64
      %x8_0 = stencil.access %x[-1, 1, 1] : !temp
      %w8 = arith.constant 0.04758523 : f64
      %m8 = arith.mulf %w8, %x8_0 : f64
      %a8 = arith.addf %a7, %m8 : f64
      %x9_0 = stencil.access %x[0, -1, -1] : !temp
      %w9 = arith.constant 0.03817889 : f64
      %m9 = arith.mulf %w9, %x9_0 : f64
      %a9 = arith.addf %a8, %m9 : f64
      %x10_0 = stencil.access %x[0, -1, 0] : !temp
      %w10 = arith.constant 0.02877254 : f64
      %m10 = arith.mulf %w10, %x10_0 : f64
      %a10 = arith.addf %a9, %m10 : f64
      %x11_0 = stencil.access %x[0, -1, 1] : !temp
      %w11 = arith.constant 0.04399233 : f64
      %m11 = arith.mulf %w11, %x11_0 : f64
      %a11 = arith.addf %a10, %m11 : f64
      %x12_0 = stencil.access %x[0, 0, -1] : !temp
      %w12 = arith.constant 0.03458598 : f64
      %m12 = arith.mulf %w12, %x12_0 : f64
      %a12 = arith.addf %a11, %m12 : f64
      %x13_0 = stencil.access %x[0, 0, 0] : !temp
      %w13 = arith.constant 0.02517963 : f64
      %m13 = arith.mulf %w13, %x13_0 : f64
      %a13 = arith.addf %a12, %m13 : f64
      %x14_0 = stencil.access %x[0, 0, 1] : !temp
      %w14 = arith.constant 0.04039942 : f64
      %m14 = arith.mulf %w14, %x14_0 : f64
      %a14 = arith.addf %a13, %m14 : f64
      %x15_0 = stencil.access %x[0, 1, -1] : !temp
      %w15 = arith.constant 0.03099307 : f64
      %m15 = arith.mulf %w15, %x15_0 : f64
      %a15 = arith.addf %a14, %m15 : f64
      %x16_0 = stencil.access %x[0, 1, 0] : !temp
      %w16 = arith.constant 0.04621287 : f64
      %m16 = arith.mulf %w16, %x16_0 : f64
      %a16 = arith.addf %a15, %m16 : f64
      %x17_0 = stencil.access %x[0, 1, 1] : !temp
      %w17 = arith.constant 0.03680652 : f64
      %m17 = arith.mulf %w17, %x17_0 : f64
      %a17 = arith.addf %a16, %m17 : f64
      %x18_0 = stencil.access %x[1, -1, -1] : !temp
      %w18 = arith.constant 0.02740017 : f64
      %m18 = arith.mulf %w18, %x18_0 : f64
      %a18 = arith.addf %a17, %m18 : f64
      %x19_0 = stencil.access %x[1, -1, 0] : !temp
      %w19 = arith.constant 0.04261996 : f64
      %m19 = arith.mulf %w19, %x19_0 : f64
      %a19 = arith.addf %a18, %m19 : f64
      %x20_0 = stencil.access %x[1, -1, 1] : !temp
      %w20 = arith.constant 0.03321361 : f64
      %m20 = arith.mulf %w20, %x20_0 : f64
      %a20 = arith.addf %a19, %m20 : f64
      %x21_0 = stencil.access %x[1, 0, -1] : !temp
      %w21 = arith.constant 0.0484334 : f64
      %m21 = arith.mulf %w21, %x21_0 : f64
      %a21 = arith.addf %a20, %m21 : f64
      %x22_0 = stencil.access %x[1, 0, 0] : !temp
      %w22 = arith.constant 0.03902706 : f64
      %m22 = arith.mulf %w22, %x22_0 : f64
      %a22 = arith.addf %a21, %m22 : f64
      %x23_0 = stencil.access %x[1, 0, 1] : !temp
      %w23 = arith.constant 0.02962071 : f64
      %m23 = arith.mulf %w23, %x23_0 : f64
      %a23 = arith.addf %a22, %m23 : f64
      %x24_0 = stencil.access %x[1, 1, -1] : !temp
      %w24 = arith.constant 0.0448405 : f64
      %m24 = arith.mulf %w24, %x24_0 : f64
      %a24 = arith.addf %a23, %m24 : f64
      %x25_0 = stencil.access %x[1, 1, 0] : !temp
      %w25 = arith.constant 0.03543415 : f64
      %m25 = arith.mulf %w25, %x25_0 : f64
      %a25 = arith.addf %a24, %m25 : f64
      %x26_0 = stencil.access %x[1, 1, 1] : !temp
      %w26 = arith.constant 0.0260278 : f64
      %m26 = arith.mulf %w26, %x26_0 : f64
      %a26 = arith.addf %a25, %m26 : f64
      stencil.return %a26 : f64
    }
    stencil.store %new to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
