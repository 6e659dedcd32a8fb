// RUN: stencil-opt %s --stencil-capture-graphs="nodes=6" --split-input-file | FileCheck %s

// A loop that exchanges two buffers and launches one kernel per step: six steps
// are recorded, and launched as often as they fit.

// CHECK-LABEL: func @swap
// CHECK-SAME: %[[A:[^:]*]]: memref<8xf64>, %[[B:[^:]*]]: memref<8xf64>, %[[N:[^:]*]]: index, %[[S:[^:]*]]: !llvm.ptr
// CHECK: %[[COUNT:.*]] = arith.maxsi
// CHECK: %[[WHOLE:.*]] = arith.divui %[[COUNT]], %c6
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %[[WHOLE]], %c3
// CHECK: scf.if %[[LONG]] {
// CHECK:   call @stencilBeginCapture(%[[S]])
// CHECK:   scf.for %{{.*}} = %c0{{.*}} to %c6{{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// CHECK:     gpu.launch_func <%[[S]] : !llvm.ptr> @k::@step
// CHECK:   %[[GRAPH:.*]] = func.call @stencilEndCapture(%[[S]])
// CHECK:   scf.for %{{.*}} to %[[WHOLE]]
// CHECK:     call @stencilLaunchGraph(%[[GRAPH]], %[[S]])
// CHECK:   call @mgpuStreamSynchronize(%[[S]])
// CHECK:   call @stencilDestroyGraph(%[[GRAPH]])
// CHECK: %[[REST:.*]] = arith.remui %[[COUNT]], %c6
// CHECK: %[[LEFT:.*]] = arith.select %[[LONG]], %[[REST]], %[[COUNT]]
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} to %[[LEFT]] {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// CHECK: return %[[R]]#0
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @step(%a: memref<8xf64>, %b: memref<8xf64>) kernel { gpu.return }
  }
  func.func @swap(%a: memref<8xf64>, %b: memref<8xf64>, %n: index, %s: !llvm.ptr) -> memref<8xf64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<8xf64>, memref<8xf64>) {
      gpu.launch_func <%s : !llvm.ptr> @k::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%u : memref<8xf64>, %v : memref<8xf64>)
      scf.yield %v, %u : memref<8xf64>, memref<8xf64>
    }
    return %r#0 : memref<8xf64>
  }
}

// -----

// Descriptors of TMA are made while the graph is recorded.

// CHECK-LABEL: func @descriptors
// CHECK: call @stencilBeginCapture
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c6{{.*}} iter_args(%[[U:[^ ]*]] = %{{.*}},
// CHECK:   %[[VIEW:.*]] = memref.reinterpret_cast %[[U]]
// CHECK:   %[[ANY:.*]] = memref.cast %[[VIEW]]
// CHECK:   %[[MAP:.*]] = nvgpu.tma.create.descriptor %[[ANY]]
// CHECK:   gpu.launch_func {{.*}} args(%[[MAP]]
// CHECK: call @stencilEndCapture
// CHECK: scf.for
// CHECK-NOT: nvgpu
// CHECK: call @stencilLaunchGraph
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @step(%map: !map, %b: memref<256xf64>) kernel { gpu.return }
  }
  func.func @descriptors(%a: memref<256xf64>, %b: memref<256xf64>, %n: index, %m: index, %s: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<256xf64>, memref<256xf64>) {
      %view = memref.reinterpret_cast %u to offset: [0], sizes: [%m, 16], strides: [16, 1] : memref<256xf64> to memref<?x16xf64>
      %any = memref.cast %view : memref<?x16xf64> to memref<*xf64>
      %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
      gpu.launch_func <%s : !llvm.ptr> @k::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !map, %v : memref<256xf64>)
      scf.yield %v, %u : memref<256xf64>, memref<256xf64>
    }
    return
  }
}

// -----

// A branch that all steps take, as that for the extents of the call: what is
// taken is recorded.

// CHECK-LABEL: func @branch
// CHECK: call @stencilBeginCapture
// CHECK: scf.for
// CHECK-NEXT: scf.if %{{.*}} {
// CHECK-NEXT: gpu.launch_func {{.*}} @k::@narrow
// CHECK-NEXT: } else {
// CHECK-NEXT: gpu.launch_func {{.*}} @k::@wide
// CHECK: call @stencilEndCapture
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @narrow(%a: memref<8xf64>, %b: memref<8xf64>) kernel { gpu.return }
    gpu.func @wide(%a: memref<8xf64>, %b: memref<8xf64>) kernel { gpu.return }
  }
  func.func @branch(%a: memref<8xf64>, %b: memref<8xf64>, %n: index, %fits: i1, %s: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<8xf64>, memref<8xf64>) {
      scf.if %fits {
        gpu.launch_func <%s : !llvm.ptr> @k::@narrow blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%u : memref<8xf64>, %v : memref<8xf64>)
      } else {
        gpu.launch_func <%s : !llvm.ptr> @k::@wide blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%u : memref<8xf64>, %v : memref<8xf64>)
      }
      scf.yield %v, %u : memref<8xf64>, memref<8xf64>
    }
    return
  }
}

// -----

// Not one that steps take by turns.

// CHECK-LABEL: func @turns
// CHECK-NOT: stencilBeginCapture
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @step(%a: memref<8xf64>) kernel { gpu.return }
  }
  func.func @turns(%a: memref<8xf64>, %n: index, %p: i1, %q: i1, %s: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 iter_args(%now = %p, %next = %q) -> (i1, i1) {
      scf.if %now {
        gpu.launch_func <%s : !llvm.ptr> @k::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf64>)
      }
      scf.yield %next, %now : i1, i1
    }
    return
  }
}

// -----

// Left alone: a kernel that gets the step's number, a step that waits for the
// device, values that do not return to their places.

// CHECK-LABEL: func @others
// CHECK-NOT: stencilBeginCapture
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @step(%a: memref<8xf64>, %i: i64) kernel { gpu.return }
  }
  func.func private @mgpuStreamSynchronize(!llvm.ptr)
  func.func @others(%a: memref<8xf64>, %b: memref<8xf64>, %n: index, %s: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k = arith.constant 7 : i64
    scf.for %i = %c0 to %n step %c1 {
      %number = arith.index_cast %i : index to i64
      gpu.launch_func <%s : !llvm.ptr> @k::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf64>, %number : i64)
    }
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func <%s : !llvm.ptr> @k::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf64>, %k : i64)
      func.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> ()
    }
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a) -> (memref<8xf64>) {
      gpu.launch_func <%s : !llvm.ptr> @k::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%u : memref<8xf64>, %k : i64)
      scf.yield %b : memref<8xf64>
    }
    return
  }
}
