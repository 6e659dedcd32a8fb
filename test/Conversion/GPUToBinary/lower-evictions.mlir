// RUN: stencil-opt %s --pass-pipeline="builtin.module(gpu.module(stencil-lower-evictions))" | FileCheck %s

gpu.module @kernels {
  // CHECK: gpu.func @last(
  // CHECK-NOT: stencil.eviction
  gpu.func @last(%shared: !llvm.ptr<7>, %map: !llvm.ptr, %barrier: !llvm.ptr<3>, %at: i32, %own: i64) kernel attributes {stencil.eviction = "last"} {
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(1508705875169116160 : i64) : i64
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint = %[[LAST]] :
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] : !llvm.ptr<7>, !llvm.ptr
    // What has a hint keeps it.
    // CHECK-NOT: 1508705875169116160
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint = %{{.*}} :
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] l2_cache_hint = %own : !llvm.ptr<7>, !llvm.ptr
    gpu.return
  }

  // CHECK: gpu.func @normal(
  gpu.func @normal(%shared: !llvm.ptr<7>, %map: !llvm.ptr, %barrier: !llvm.ptr<3>, %at: i32) kernel {
    // CHECK-NOT: l2_cache_hint
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] : !llvm.ptr<7>, !llvm.ptr
    gpu.return
  }
}
