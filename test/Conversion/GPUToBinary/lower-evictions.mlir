// RUN: stencil-opt %s --pass-pipeline="builtin.module(gpu.module(stencil-lower-evictions))" | FileCheck %s

gpu.module @kernels {
  // Loads come later.
  // CHECK: llvm.func @last(
  // CHECK-SAME: attributes {nvvm.kernel, passthrough = ["noinline", ["stencil.eviction", "last"]]}
  llvm.func @last(%shared: !llvm.ptr<7>, %map: !llvm.ptr, %barrier: !llvm.ptr<3>, %at: i32, %own: i64, %u: !llvm.ptr<1>, %count: i32) attributes {nvvm.kernel, passthrough = ["noinline"], stencil.eviction = "last"} {
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(1508705875169116160 : i64) : i64
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint = %[[LAST]] :
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] : !llvm.ptr<7>, !llvm.ptr
    // What has a hint keeps it.
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint = %arg4 :
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] l2_cache_hint = %own : !llvm.ptr<7>, !llvm.ptr
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(1508705875169116160 : i64) : i64
    // CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global.L2::cache_hint [$0], [$1], 16, $2;", "l,l,l,~{memory}" %arg2, %arg5, %[[LAST]]
    nvvm.cp.async.shared.global %barrier, %u, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(1508705875169116160 : i64) : i64
    // CHECK: llvm.inline_asm has_side_effects "cp.async.ca.shared.global.L2::cache_hint [$0], [$1], 8, $2, $3;", "l,l,r,l,~{memory}" %arg2, %arg5, %arg6, %[[LAST]]
    nvvm.cp.async.shared.global %barrier, %u, 8, cache = ca, %count : !llvm.ptr<3>, !llvm.ptr<1>, i32
    llvm.return
  }

  // CHECK: llvm.func @normal(
  // CHECK-SAME: attributes {nvvm.kernel} {
  llvm.func @normal(%shared: !llvm.ptr<7>, %map: !llvm.ptr, %barrier: !llvm.ptr<3>, %at: i32) attributes {nvvm.kernel} {
    // CHECK-NOT: cache_hint
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
}
