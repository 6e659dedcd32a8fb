// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --cse --canonicalize | FileCheck %s --check-prefix=CSE

// Kernels as the host sees them: stencil.launch, and what its arguments come from.

!field = !stencil.field<[-1,65]x[-4,68]xf64>
!open = !stencil.field<[-1,?+1]x[-4,?+4]xf64>
!map = !nvgpu.tensormap.descriptor<tensor = memref<10x72xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>
!segments = !nvgpu.tensormap.descriptor<tensor = memref<10x9x12xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>

gpu.module @f_kernels {
  gpu.func @known(%u: memref<5280xf64>, %v: memref<5280xf64>, %c: f64, %m: !map, %p: memref<2048xf64>, %e: memref<1xi32>) kernel {
    gpu.return
  }
  gpu.func @unknown(%n0: i64, %size: i64, %u: memref<f64>) kernel {
    gpu.return
  }
}

// CHECK-LABEL: func.func @known
// CHECK: %[[P:.*]] = stencil.scratch : memref<2048xf64>
// CHECK: %[[E:.*]] = stencil.error_word ["f.mlir:3:5: division by zero", "too far"] : memref<1xi32>
// CHECK: %[[M:.*]] = stencil.tensor_map %[[U:.*]] : !stencil.field<[-1,65]x[-4,68]xf64> -> !nvgpu.tensormap.descriptor<tensor = memref<10x72xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>
// CHECK: stencil.launch @f_kernels::@known blocks(%{{.*}}) threads [64, 4, 1] shared 4096 align 16 args(%[[U]] : !stencil.field<[-1,65]x[-4,68]xf64> read, %{{.*}} : !stencil.field<[-1,65]x[-4,68]xf64> readwrite, %{{.*}} : f64, %[[M]] : !nvgpu.tensormap.descriptor<{{.*}}>, %[[P]] : memref<2048xf64> write, %[[E]] : memref<1xi32> write)

// What is written for itself only stays; what is only computed does not.
// CSE-LABEL: func.func @known
// CSE: stencil.launch
// CSE-NEXT: return
func.func @known(%u: !field, %v: !field, %c: f64) {
  %n = arith.constant 66 : index
  %p = stencil.scratch : memref<2048xf64>
  %e = stencil.error_word ["f.mlir:3:5: division by zero", "too far"] : memref<1xi32>
  %m = stencil.tensor_map %u : !field -> !map
  %unused = stencil.tensor_map %v : !field -> !map
  stencil.launch @f_kernels::@known blocks(%n) threads [64, 4, 1] shared 4096 align 16 args(%u : !field read, %v : !field readwrite, %c : f64, %m : !map, %p : memref<2048xf64> write, %e : memref<1xi32> write)
  return
}

// CHECK-LABEL: func.func @unknown
// CHECK: %[[N:.*]] = stencil.extent 0
// CHECK: %[[SIZE:.*]] = stencil.buffer_size %{{.*}} : !stencil.field<[-1,?+1]x[-4,?+4]xf64>
// CHECK: stencil.launch @f_kernels::@unknown blocks(%[[N]]) threads [1, 1, 1] args(%{{.*}} : i64, %{{.*}} : i64, %{{.*}} : !stencil.field<[-1,?+1]x[-4,?+4]xf64> write)

// CSE-LABEL: func.func @unknown
// CSE-COUNT-1: stencil.extent 0
// CSE-NOT: stencil.extent
func.func @unknown(%u: !open) {
  %n = stencil.extent 0
  %again = stencil.extent 0
  %n0 = arith.index_cast %again : index to i64
  %elements = stencil.buffer_size %u : !open
  %size = arith.index_cast %elements : index to i64
  stencil.launch @f_kernels::@unknown blocks(%n) threads [1, 1, 1] args(%n0 : i64, %size : i64, %u : !open write)
  return
}

// CHECK-LABEL: func.func @result
// CHECK: stencil.fetch %{{.*}} : memref<1xf64>
func.func @result() -> f64 {
  %p = stencil.scratch : memref<1xf64>
  %r = stencil.fetch %p : memref<1xf64>
  return %r : f64
}

// Rows in segments that overlap: an axis more.
// CHECK-LABEL: func.func @segments
// CHECK: stencil.tensor_map %{{.*}} segment 8 : !stencil.field<[-1,65]x[-4,68]xf64> -> !nvgpu.tensormap.descriptor<tensor = memref<10x9x12xf64, 3>
func.func @segments(%u: !field) {
  %m = stencil.tensor_map %u segment 8 : !field -> !segments
  return
}
