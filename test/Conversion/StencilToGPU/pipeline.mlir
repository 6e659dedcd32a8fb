// A walk in three loops: before the first plane that is stored, whole rounds of
// the partial sums, the rest. One barrier per iteration.
// RUN: stencil-opt %s --stencil-expand-weighted-sums --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?x?xf64>

// CHECK-LABEL: gpu.func @scatter_pipeline0
// CHECK-SAME: !nvgpu.tensormap.descriptor<tensor = memref<1x10x40xf64
// CHECK-SAME: known_block_size = array<i32: 16, 4, 1>
// CHECK-DAG: %[[RING:.*]] = memref.view {{.*}} to memref<1600xf64
// CHECK-DAG: %[[FULL:.*]] = nvgpu.mbarrier.create -> <{{.*}}num_barriers = 4>
// CHECK-COUNT-4: nvgpu.mbarrier.init %[[FULL]]
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier
// Three planes are asked for before the first one is waited for.
// CHECK-COUNT-3: nvgpu.tma.async.load
// CHECK: %[[BEFORE:.*]]:10 = scf.for
// CHECK-NOT: memref.store
// CHECK-NOT: vector.store
// CHECK: %[[WHOLE:.*]]:10 = scf.for %[[NUMBER:[a-z0-9]+]] = {{.*}} iter_args({{.*}} = %[[BEFORE]]#0
// CHECK: nvgpu.mbarrier.try_wait.parity %[[FULL]]
// CHECK-NEXT: gpu.barrier
// One thread asks for a later plane, after what all threads have read there. It
// counts from the iteration that waits for it, which has been asked for.
// CHECK: %[[LATER:.*]] = arith.addi %[[NUMBER]], %c3_i32
// CHECK: arith.cmpi slt, %[[LATER]],
// CHECK: scf.if
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: nvgpu.mbarrier.arrive.expect_tx
// CHECK-NEXT: arith.addi %{{.*}}, %[[LATER]]
// CHECK: nvgpu.tma.async.load
// CHECK-NOT: nvvm.fence.proxy
// CHECK: vector.load %[[RING]]{{.*}} {alignment = 16 : i64} : {{.*}}, vector<2xf64>
// CHECK-NOT: gpu.barrier
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<2xf64>
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: scf.yield
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[WHOLE]]#0
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-NOT: nvgpu.mbarrier.try_wait.parity
// CHECK: gpu.return
// CHECK: func.func @scatter(
// CHECK: nvgpu.tma.create.descriptor
// CHECK: gpu.launch_func {{.*}}@scatter_pipeline0 {{.*}}dynamic_shared_memory_size
func.func @scatter(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 4 prefetch tma : !temp
    %t:2 = stencil.apply(%a = %w : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      %s = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<1.0> : tensor<4xf64> : !temp
      stencil.return %c, %s : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1, %t#0 at [-1, 0, 1] : !temp
    stencil.store %s to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Without an axis: a tile, no loop.
// CHECK-LABEL: gpu.func @tile_pipeline0
// CHECK-NOT: scf.for
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @tile(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 4, 16], points = [1, 1, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Neighbours of a row from the registers of other lanes; only who has none there
// loads. Doubles are shuffled in halves.
// CHECK-LABEL: gpu.func @shuffled_pipeline0
// CHECK: vector.load {{.*}} vector<2xf64>
// CHECK-COUNT-2: gpu.shuffle idx {{.*}} : i32
// CHECK: scf.if
// CHECK: memref.load
// CHECK: gpu.return
func.func @shuffled(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 4, 32], points = [1, 1, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shuffle %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
