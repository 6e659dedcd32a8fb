// RUN: stencil-opt %s --split-input-file --stencil-overlap-launches | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-capture-graphs="nodes=4" --stencil-overlap-launches | FileCheck %s --check-prefix=GRAPH
// RUN: sed 's/regions = launch/regions = streams/' %S/Inputs/regions.mlir | stencil-opt --stencil-split-regions -o %t.seven
// RUN: stencil-run %t.seven --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=4 --math strict --verify=0
// RUN: stencil-run %t.seven --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=70 --math strict --verify=0

// Two streams beside the one of the first kernel, which wait for what it has
// done before, and it for them. In a graph as well.

// CHECK-LABEL: func.func @step
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr)
// CHECK: %[[BEGIN:.*]] = call @mgpuEventCreate()
// CHECK: %[[S1:.*]] = call @mgpuStreamCreate()
// CHECK: %[[DONE1:.*]] = call @mgpuEventCreate()
// CHECK: %[[S2:.*]] = call @mgpuStreamCreate()
// CHECK: %[[DONE2:.*]] = call @mgpuEventCreate()
// CHECK: scf.for
// CHECK-NEXT: call @mgpuEventRecord(%[[BEGIN]], %[[S]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S1]], %[[BEGIN]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S2]], %[[BEGIN]])
// CHECK-NEXT: gpu.launch_func <%[[S]] : !llvm.ptr> @k::@a
// CHECK-NEXT: gpu.launch_func <%[[S1]] : !llvm.ptr> @k::@b
// CHECK-NEXT: gpu.launch_func <%[[S2]] : !llvm.ptr> @k::@b
// CHECK-NEXT: call @mgpuEventRecord(%[[DONE1]], %[[S1]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S]], %[[DONE1]])
// CHECK-NEXT: call @mgpuEventRecord(%[[DONE2]], %[[S2]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S]], %[[DONE2]])
// CHECK-NEXT: gpu.launch_func <%[[S]] : !llvm.ptr> @k::@a
// CHECK: call @mgpuEventDestroy(%[[DONE1]])
// CHECK: call @mgpuStreamDestroy(%[[S1]])
// CHECK: call @mgpuEventDestroy(%[[DONE2]])
// CHECK: call @mgpuStreamDestroy(%[[S2]])
// CHECK: call @mgpuEventDestroy(%[[BEGIN]])
// CHECK-NEXT: return

// GRAPH: call @stencilBeginCapture
// GRAPH: scf.for
// GRAPH: call @mgpuEventRecord
// GRAPH-COUNT-2: call @mgpuStreamWaitEvent
// GRAPH: gpu.launch_func
// GRAPH: call @stencilEndCapture
#group = #stencil.region_group<0, streams>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
    gpu.func @b() kernel { gpu.return }
  }
  func.func @step(%n: index, %s: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
      gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
      gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
      gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    }
    return
  }
}

// -----

// Launches of others stand between the first two of a group: they go where the
// second one goes, for which the third one waits, too.

// CHECK-LABEL: func.func @early
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr)
// CHECK: %[[BEGIN:.*]] = call @mgpuEventCreate()
// CHECK: %[[S1:.*]] = call @stencilCreatePriorStream()
// CHECK: %[[DONE1:.*]] = call @mgpuEventCreate()
// CHECK: %[[S2:.*]] = call @stencilCreatePriorStream()
// CHECK: %[[DONE2:.*]] = call @mgpuEventCreate()
// CHECK: call @mgpuEventRecord(%[[BEGIN]], %[[S]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S1]], %[[BEGIN]])
// CHECK-NEXT: gpu.launch_func <%[[S]] : !llvm.ptr> @k::@a
// CHECK-NEXT: gpu.launch_func <%[[S1]] : !llvm.ptr> @k::@b
// CHECK-NEXT: gpu.launch_func <%[[S1]] : !llvm.ptr> @k::@b
// CHECK-NEXT: call @mgpuEventRecord(%[[BEGIN]], %[[S1]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S2]], %[[BEGIN]])
// CHECK-NEXT: gpu.launch_func <%[[S1]] : !llvm.ptr> @k::@a
// CHECK-NEXT: gpu.launch_func <%[[S2]] : !llvm.ptr> @k::@a
// CHECK-NEXT: call @mgpuEventRecord(%[[DONE1]], %[[S1]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S]], %[[DONE1]])
// CHECK-NEXT: call @mgpuEventRecord(%[[DONE2]], %[[S2]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S]], %[[DONE2]])

// GRAPH-LABEL: func.func @early
#group = #stencil.region_group<0, streams>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
    gpu.func @b() kernel { gpu.return }
  }
  func.func @early(%n: index, %s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

// Left alone: groups that are one launch, or of one launch.

// CHECK-LABEL: func.func @others
// CHECK-NOT: mgpu
// CHECK: return
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @others(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<0, streams>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<1, streams>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<2, launch>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<2, launch>}
    return
  }
}
