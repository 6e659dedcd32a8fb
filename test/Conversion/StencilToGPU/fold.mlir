// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse | FileCheck %s

// Points are folded to one value per block, those by one block. The first kernel
// strides over all 600 points, then the threads of a block fold theirs in shared
// memory, half and half; the host waits for the result.

// CHECK: gpu.func @largest_fold0
// CHECK: scf.for %{{.*}} to %c600_i32 step %c768_i32
// CHECK:   arith.maximumf
// CHECK: memref.store %{{.*}} : memref<256xf64, #gpu.address_space<workgroup>>
// CHECK-COUNT-8: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: memref.store %{{.*}} : memref<2048xf64>
// CHECK: gpu.func @largest_fold1
// CHECK: func.func @largest
// CHECK: gpu.launch_func {{.*}}@largest_fold0 blocks in (%c3, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK: gpu.launch_func {{.*}}@largest_fold1 blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK: call @stencilMemcpy2D
// CHECK: call @mgpuStreamSynchronize
// CHECK: %[[R:.*]] = memref.load %{{.*}} : memref<1xf64>
// CHECK: %[[T:.*]] = arith.truncf %[[R]] : f64 to f32
// CHECK: return %[[T]]
func.func @largest(%u: !stencil.field<[-1,21]x[0,30]xf32>) -> f32 {
  %r = stencil.fold %u(<[0, 0], [20, 30]>) max : !stencil.field<[-1,21]x[0,30]xf32>
  return %r : f32
}
