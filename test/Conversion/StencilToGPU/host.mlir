// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,CUDA
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,HIP
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --convert-stencil-to-gpu=emulate=1 --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,EMULATOR

// The arguments' fields are copied to the device once, rows of 48 bytes to rows
// of 96 with three elements before the first, and only what is written is
// copied back. Between, nothing waits. The buffer is allocated outside of the
// loop, and released.

// CHECK-LABEL: func.func @steps
// CHECK-SAME: (%[[U:.*]]: memref<6x6xf64>, %[[C:.*]]: memref<6x6xf64>, %{{.*}}: index)
// CUDA: call @stencilSelectBackend(%c256_i32)
// HIP: call @stencilSelectBackend(%c257_i32)
// EMULATOR: call @stencilSelectBackend(%c258_i32)
// CHECK: %[[S:.*]] = call @mgpuStreamCreate()
// CHECK: call @stencilReserveMemory(%c1728)
// CHECK: %[[DU:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<72xf64>
// CHECK: %[[DC:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<72xf64>
// CHECK: %[[B:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<72xf64>
// CHECK: %[[PU:.*]] = memref.extract_aligned_pointer_as_index %[[DU]]
// CHECK: %[[TU:.*]] = arith.addi %[[PU]], %c24
// CHECK: %[[HU:.*]] = memref.extract_aligned_pointer_as_index %[[U]]
// CHECK: call @stencilMemcpy2D(%[[TU]], %c96, %[[HU]], %c48, %c48, %c6, %[[S]])
// CHECK: call @stencilMemcpy2D
// CHECK: call @stencilBeginTiming(%[[S]])
// CHECK: scf.for
// CHECK-NOT: call
// CHECK:   gpu.launch_func <%[[S]] : !llvm.ptr> @steps_kernels::@steps_apply0
// CHECK-NOT: call
// CHECK:   gpu.launch_func <%[[S]] : !llvm.ptr> @steps_kernels::@steps_apply1
// CHECK-NOT: call
// CHECK: }
// CHECK: call @stencilEndTiming(%[[S]])
// CHECK: call @stencilMemcpy2D(%[[HU]], %c48, %[[TU]], %c96, %c48, %c6, %[[S]])
// CHECK-NOT: stencilMemcpy2D
// CHECK: call @mgpuStreamSynchronize(%[[S]])
// CHECK-COUNT-3: gpu.dealloc
// CHECK: call @mgpuStreamDestroy(%[[S]])
func.func @steps(%u: !stencil.field<[-1,5]x[-1,5]xf64>, %c: !stencil.field<[-1,5]x[-1,5]xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = stencil.alloc : !stencil.field<[-1,5]x[-1,5]xf64>
  scf.for %i = %c0 to %n step %c1 {
    stencil.apply(%x = %u : !stencil.field<[-1,5]x[-1,5]xf64>, %y = %c : !stencil.field<[-1,5]x[-1,5]xf64>) outs (%b : !stencil.field<[-1,5]x[-1,5]xf64>) {
      %p = stencil.access %x[0, 1] : !stencil.field<[-1,5]x[-1,5]xf64>
      %q = stencil.access %y[0, 0] : !stencil.field<[-1,5]x[-1,5]xf64>
      %r = arith.mulf %p, %q : f64
      stencil.return %r : f64
    } to <[0, 0], [4, 4]>
    stencil.apply(%x = %b : !stencil.field<[-1,5]x[-1,5]xf64>) outs (%u : !stencil.field<[-1,5]x[-1,5]xf64>) {
      %p = stencil.access %x[0, 0] : !stencil.field<[-1,5]x[-1,5]xf64>
      stencil.return %p : f64
    } to <[0, 0], [4, 4]>
  }
  return
}

// -----

// Which field a loop returns shows at run time: the memref whose copy it is.

// CHECK-LABEL: func.func @returned
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[R]]#0
// CHECK: arith.cmpi eq, %[[P]]
// CHECK: scf.if %{{.*}} -> (memref<4xf64>)
// CHECK:   scf.yield %arg0
// CHECK: } else {
// CHECK:   scf.if
// CHECK:     scf.yield %arg1
// CHECK:     memref.alloc()
func.func @returned(%u: !stencil.field<[0,4]xf64>, %v: !stencil.field<[0,4]xf64>, %n: index) -> !stencil.field<[0,4]xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (!stencil.field<[0,4]xf64>, !stencil.field<[0,4]xf64>) {
    scf.yield %b, %a : !stencil.field<[0,4]xf64>, !stencil.field<[0,4]xf64>
  }
  return %r#0 : !stencil.field<[0,4]xf64>
}

// -----

// A function without fields stays as it is.

// CHECK-LABEL: func.func @scalar
// CHECK-NOT: call
// CHECK: return
func.func @scalar(%a: f64) -> f64 {
  return %a : f64
}
