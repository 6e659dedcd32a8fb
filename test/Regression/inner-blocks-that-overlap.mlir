// Stages of tiles that overlap compute points beside the tile, which may lie
// outside of the box that the tile is in: seed 361 of
// test/Integration/stage_boundaries.py --kernels.
// RUN: stencil-opt %s "--pass-pipeline=builtin.module(stencil-attach-target{chip=sm_80},func.func(stencil-expand-boundaries,stencil-share-neighbours),stencil-map-stages,func.func(stencil-place-barriers,stencil-expand-walks))" -o %t.mlir
// RUN: stencil-run %t.mlir --target interpreter --arg 0=wild:361 --arg 1=wild:362 --arg 2=random:363 --out 1=%t.npy
// RUN: stencil-run %s --target interpreter --arg 0=wild:361 --arg 1=wild:362 --arg 2=random:363 --out 1=%t.expected.npy
// RUN: cmp %t.npy %t.expected.npy
!field = !stencil.field<[-4,13]x[-4,9]x[-4,54]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @main(%u: !field, %v: !field, %k: !field) {
stencil.pipeline axis 2 step 2 attributes {stencil.inner = #stencil.bounds<[1, 0, -1], [8, 4, 49]>, stencil.schedule = #stencil.schedule<block = [2, 1, 1], points = [2, 1, 1], stream = 2, segments = 1>} {
%u0 = stencil.load %u : !field -> !temp
%v0 = stencil.load %v : !field -> !temp
%k0 = stencil.load %k : !field -> !temp
%uw = stencil.window shared %u0 depth 6 lead 4 prefetch async : !temp
%s1 = stencil.apply(%in0 = %uw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 3>} {
%a0_0 = stencil.access %in0[0, 0, 0] : !temp
%c0_0 = arith.constant 0.125 : f64
%m0_0 = arith.mulf %a0_0, %c0_0 : f64
%a0_1 = stencil.access %in0[0, -1, 0] : !temp
%c0_1 = arith.constant 0.25 : f64
%m0_1 = arith.mulf %a0_1, %c0_1 : f64
%s0_1 = arith.addf %m0_0, %m0_1 : f64
%a0_2 = stencil.access %in0[0, 3, 0] : !temp
%c0_2 = arith.constant 0.375 : f64
%m0_2 = arith.mulf %a0_2, %c0_2 : f64
%s0_2 = arith.addf %s0_1, %m0_2 : f64
%a0_3 = stencil.access %in0[0, 0, -3] : !temp
%c0_3 = arith.constant 0.5 : f64
%m0_3 = arith.mulf %a0_3, %c0_3 : f64
%s0_3 = arith.addf %s0_2, %m0_3 : f64
stencil.return %s0_3 : f64
}
%w1 = stencil.window registers %s1 depth 6 lead 3 boundary(<[0, 0, 0], [9, 5, 50]>) [#stencil.keep | #stencil.neumann, #stencil.symmetric | #stencil.keep, #stencil.extrapolate<1> | #stencil.dirichlet<1.25>] keep %u0 : !temp
%s2 = stencil.apply(%in0 = %w1 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
%a0_0 = stencil.access %in0[0, 0, 0] : !temp
%c0_0 = arith.constant 0.125 : f64
%m0_0 = arith.mulf %a0_0, %c0_0 : f64
%a0_1 = stencil.access %in0[-2, 0, 0] : !temp
%c0_1 = arith.constant 0.25 : f64
%m0_1 = arith.mulf %a0_1, %c0_1 : f64
%s0_1 = arith.addf %m0_0, %m0_1 : f64
%a0_2 = stencil.access %in0[1, 0, 0] : !temp
%c0_2 = arith.constant 0.375 : f64
%m0_2 = arith.mulf %a0_2, %c0_2 : f64
%s0_2 = arith.addf %s0_1, %m0_2 : f64
%a0_3 = stencil.access %in0[0, -1, 0] : !temp
%c0_3 = arith.constant 0.5 : f64
%m0_3 = arith.mulf %a0_3, %c0_3 : f64
%s0_3 = arith.addf %s0_2, %m0_3 : f64
%a0_4 = stencil.access %in0[0, 0, -2] : !temp
%c0_4 = arith.constant 0.625 : f64
%m0_4 = arith.mulf %a0_4, %c0_4 : f64
%s0_4 = arith.addf %s0_3, %m0_4 : f64
%a0_5 = stencil.access %in0[0, 0, 2] : !temp
%c0_5 = arith.constant 0.75 : f64
%m0_5 = arith.mulf %a0_5, %c0_5 : f64
%s0_5 = arith.addf %s0_4, %m0_5 : f64
%a0_6 = stencil.access %in0[-2, -1, 2] : !temp
%c0_6 = arith.constant 0.875 : f64
%m0_6 = arith.mulf %a0_6, %c0_6 : f64
%s0_6 = arith.addf %s0_5, %m0_6 : f64
%a0_7 = stencil.access %in0[1, -1, -2] : !temp
%c0_7 = arith.constant 1.0 : f64
%m0_7 = arith.mulf %a0_7, %c0_7 : f64
%s0_7 = arith.addf %s0_6, %m0_7 : f64
%a0_8 = stencil.access %in0[1, -1, 2] : !temp
%c0_8 = arith.constant 1.125 : f64
%m0_8 = arith.mulf %a0_8, %c0_8 : f64
%s0_8 = arith.addf %s0_7, %m0_8 : f64
stencil.return %s0_8 : f64
}
%w2 = stencil.window shared %s2 depth 3 lead 1 boundary(<[0, 0, 0], [9, 5, 50]>) [#stencil.extrapolate<3> | #stencil.keep, #stencil.dirichlet<1.25> | #stencil.antisymmetric, #stencil.symmetric_about_face | #stencil.symmetric] keep %u0 : !temp
%q2 = stencil.window registers %w2 depth 3 lead 1 : !temp
%s3 = stencil.apply(%in0 = %q2 : !temp, %in1 = %w1 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
%a0_0 = stencil.access %in0[0, 0, 0] : !temp
%c0_0 = arith.constant 0.125 : f64
%m0_0 = arith.mulf %a0_0, %c0_0 : f64
%a0_1 = stencil.access %in0[-1, 0, 0] : !temp
%c0_1 = arith.constant 0.25 : f64
%m0_1 = arith.mulf %a0_1, %c0_1 : f64
%s0_1 = arith.addf %m0_0, %m0_1 : f64
%a0_2 = stencil.access %in0[0, 1, 0] : !temp
%c0_2 = arith.constant 0.375 : f64
%m0_2 = arith.mulf %a0_2, %c0_2 : f64
%s0_2 = arith.addf %s0_1, %m0_2 : f64
%a0_3 = stencil.access %in0[0, 0, 1] : !temp
%c0_3 = arith.constant 0.5 : f64
%m0_3 = arith.mulf %a0_3, %c0_3 : f64
%s0_3 = arith.addf %s0_2, %m0_3 : f64
%a0_4 = stencil.access %in0[-1, 0, 1] : !temp
%c0_4 = arith.constant 0.625 : f64
%m0_4 = arith.mulf %a0_4, %c0_4 : f64
%s0_4 = arith.addf %s0_3, %m0_4 : f64
%a1_0 = stencil.access %in1[0, 0, 0] : !temp
%c1_0 = arith.constant 1.0 : f64
%m1_0 = arith.mulf %a1_0, %c1_0 : f64
%s1_0 = arith.addf %s0_4, %m1_0 : f64
%a1_1 = stencil.access %in1[0, -2, 0] : !temp
%c1_1 = arith.constant 1.125 : f64
%m1_1 = arith.mulf %a1_1, %c1_1 : f64
%s1_1 = arith.addf %s1_0, %m1_1 : f64
stencil.return %s1_1 : f64
}
%w3 = stencil.window shared %s3 depth 3 lead 0 boundary(<[0, 0, 0], [9, 5, 50]>) [#stencil.symmetric | #stencil.keep, #stencil.extrapolate<0> | #stencil.symmetric_about_face, #stencil.extrapolate<0> | #stencil.symmetric_about_face] keep %u0 : !temp
%s4 = stencil.apply(%in0 = %w3 : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
%a0_0 = stencil.access %in0[0, 0, 0] : !temp
%c0_0 = arith.constant 0.125 : f64
%m0_0 = arith.mulf %a0_0, %c0_0 : f64
%a0_1 = stencil.access %in0[1, 0, 0] : !temp
%c0_1 = arith.constant 0.25 : f64
%m0_1 = arith.mulf %a0_1, %c0_1 : f64
%s0_1 = arith.addf %m0_0, %m0_1 : f64
%a0_2 = stencil.access %in0[0, -1, 0] : !temp
%c0_2 = arith.constant 0.375 : f64
%m0_2 = arith.mulf %a0_2, %c0_2 : f64
%s0_2 = arith.addf %s0_1, %m0_2 : f64
%a0_3 = stencil.access %in0[0, 1, 0] : !temp
%c0_3 = arith.constant 0.5 : f64
%m0_3 = arith.mulf %a0_3, %c0_3 : f64
%s0_3 = arith.addf %s0_2, %m0_3 : f64
%a0_4 = stencil.access %in0[0, 0, -1] : !temp
%c0_4 = arith.constant 0.625 : f64
%m0_4 = arith.mulf %a0_4, %c0_4 : f64
%s0_4 = arith.addf %s0_3, %m0_4 : f64
%a0_5 = stencil.access %in0[1, -1, 0] : !temp
%c0_5 = arith.constant 0.75 : f64
%m0_5 = arith.mulf %a0_5, %c0_5 : f64
%s0_5 = arith.addf %s0_4, %m0_5 : f64
%a0_6 = stencil.access %in0[1, 1, 0] : !temp
%c0_6 = arith.constant 0.875 : f64
%m0_6 = arith.mulf %a0_6, %c0_6 : f64
%s0_6 = arith.addf %s0_5, %m0_6 : f64
stencil.return %s0_6 : f64
}
stencil.store %s4 to %v(<[0, 0, 0], [9, 5, 50]>) : !temp to !field
}
return
}
