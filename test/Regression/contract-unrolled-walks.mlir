// Which of two products is rounded with their sum was left to LLVM, which took the one or the other as a walk was
// unrolled: with math=contract results had other bits with other schedules.
// REQUIRES: python-numpy
// DEFINE: %{run} = stencil-run %s --extents 30,26,70 --arg 0=random:1 --arg 1=random:1 --arg 2=9
// DEFINE: %{walk} = time = 4, stream = 0, window = shared, chain = shuffle, prefetch = tma, block = [1, 4, 32], points = [1, 6, 2]
// RUN: %{run} --threads 1 --out 0=%t.cpu.npy
// RUN: %{run} --target emulator --chip sm_90 --schedule '#stencil.schedule<block = [1, 8, 32]>' --out 0=%t.one.npy
// RUN: cmp %t.cpu.npy %t.one.npy
// RUN: %{run} --target emulator --chip sm_90 --schedule '#stencil.schedule<%{walk}>' --out 0=%t.walk.npy
// RUN: cmp %t.cpu.npy %t.walk.npy
// RUN: %{run} --target emulator --chip sm_90 --schedule '#stencil.schedule<%{walk}, unroll = 2>' --out 0=%t.unrolled.npy
// RUN: cmp %t.cpu.npy %t.unrolled.npy

!field = !stencil.field<[-1,?+1]x[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @heat3d(%arg0: !stencil.field<?x?x?xf64>, %arg1: !stencil.field<?x?x?xf64>, %steps: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?x?x?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?x?x?xf64> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %x0_0 = stencil.access %x[-1, 0, 0] : !temp
      %w0 = arith.constant 0.18247112 : f64
      %m0 = arith.mulf %w0, %x0_0 : f64
      %x1_0 = stencil.access %x[0, -1, 0] : !temp
      %w1 = arith.constant 0.14741248 : f64
      %m1 = arith.mulf %w1, %x1_0 : f64
      %a1 = arith.addf %m0, %m1 : f64
      %x2_0 = stencil.access %x[0, 0, -1] : !temp
      %w2 = arith.constant 0.11235384 : f64
      %m2 = arith.mulf %w2, %x2_0 : f64
      %a2 = arith.addf %a1, %m2 : f64
      %x3_0 = stencil.access %x[0, 0, 0] : !temp
      %w3 = arith.constant 0.16907991 : f64
      %m3 = arith.mulf %w3, %x3_0 : f64
      %a3 = arith.addf %a2, %m3 : f64
      %x4_0 = stencil.access %x[0, 0, 1] : !temp
      %w4 = arith.constant 0.13402127 : f64
      %m4 = arith.mulf %w4, %x4_0 : f64
      %a4 = arith.addf %a3, %m4 : f64
      %x5_0 = stencil.access %x[0, 1, 0] : !temp
      %w5 = arith.constant 0.09896263 : f64
      %m5 = arith.mulf %w5, %x5_0 : f64
      %a5 = arith.addf %a4, %m5 : f64
      %x6_0 = stencil.access %x[1, 0, 0] : !temp
      %w6 = arith.constant 0.1556887 : f64
      %m6 = arith.mulf %w6, %x6_0 : f64
      %a6 = arith.addf %a5, %m6 : f64
      stencil.return %a6 : f64
    }
    stencil.store %new to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
