// Kernels whose threads have several rows of a plane in registers, each stored under a condition of its own, are to stay straight: of doubles, and with one program for all blocks.
// DEFINE: %{walk} = stream = 0, window = shared, chain = shuffle, prefetch = tma
// DEFINE: %{tile} = block = [1, 3, 32], points = [1, 4, 2]
// RUN: stencil-opt %benchmarks/kernels/conv_heat3d.mlir --stencil-to-nvvm="chip=sm_90 extents=20,19,70 format=llvm schedule='#stencil.schedule<time = 2, %{walk}, %{tile}>'" | grep 'func @conv_heat3d_pipeline0' | FileCheck %s
// RUN: stencil-opt %benchmarks/kernels/conv_heat3d.mlir --stencil-to-nvvm="chip=sm_90 extents=20,19,70 format=llvm schedule='#stencil.schedule<%{tile}>'" | FileCheck %s --check-prefix=OTHER
// CHECK: stencil.straight
// OTHER-NOT: stencil.straight
