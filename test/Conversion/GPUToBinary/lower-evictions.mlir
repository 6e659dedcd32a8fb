// RUN: stencil-opt %s --pass-pipeline="builtin.module(gpu.module(stencil-lower-evictions))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @copies(
  // CHECK-NOT: stencil.eviction
  llvm.func @copies(%shared: !llvm.ptr<7>, %map: !llvm.ptr, %barrier: !llvm.ptr<3>, %at: i32, %own: i64, %u: !llvm.ptr<1>, %count: i32) attributes {nvvm.kernel, stencil.eviction = "last"} {
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(1508705875169116160 : i64) : i64
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint = %[[LAST]] :
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] : !llvm.ptr<7>, !llvm.ptr
    // What has a hint keeps it.
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} l2_cache_hint = %arg4 :
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] l2_cache_hint = %own : !llvm.ptr<7>, !llvm.ptr
    // CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global.L2::cache_hint [$0], [$1], 16, $2;", "l,l,l,~{memory}" %arg2, %arg5, %[[LAST]]
    nvvm.cp.async.shared.global %barrier, %u, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    // CHECK: llvm.inline_asm has_side_effects "cp.async.ca.shared.global.L2::cache_hint [$0], [$1], 8, $2, $3;", "l,l,r,l,~{memory}" %arg2, %arg5, %arg6, %[[LAST]]
    nvvm.cp.async.shared.global %barrier, %u, 8, cache = ca, %count : !llvm.ptr<3>, !llvm.ptr<1>, i32
    llvm.return
  }

  // Of inputs nobody writes to, loads need not stay in order.
  // CHECK-LABEL: llvm.func @loads(
  llvm.func @loads(%u: !llvm.ptr {llvm.noalias, llvm.readonly}, %v: !llvm.ptr {llvm.noalias}, %w: !llvm.ptr {llvm.readonly}, %i: i64) attributes {nvvm.kernel, stencil.eviction = "last"} {
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(1508705875169116160 : i64) : i64
    // CHECK: %[[AT:.*]] = llvm.getelementptr %arg0[%arg3]
    %at = llvm.getelementptr %u[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    // CHECK: %[[GLOBAL:.*]] = llvm.addrspacecast %[[AT]] : !llvm.ptr to !llvm.ptr<1>
    // CHECK: %[[X:.*]] = llvm.inline_asm "ld.global.nc.L2::cache_hint.f64 $0, [$1], $2;", "=d,l,l" %[[GLOBAL]], %[[LAST]] : (!llvm.ptr<1>, i64) -> f64
    %x = llvm.load %at : !llvm.ptr -> f64
    // CHECK: llvm.inline_asm "ld.global.nc.L2::cache_hint.v2.f64 {$0, $1}, [$2], $3;", "=d,=d,l,l" %{{.*}}, %[[LAST]] : (!llvm.ptr<1>, i64) -> !llvm.struct<(f64, f64)>
    %y = llvm.load %at {alignment = 16 : i64} : !llvm.ptr -> vector<2xf64>
    // What is not aligned comes in pieces.
    // CHECK-COUNT-2: "ld.global.nc.L2::cache_hint.f64
    %z = llvm.load %at {alignment = 8 : i64} : !llvm.ptr -> vector<2xf64>
    // CHECK: "ld.global.nc.L2::cache_hint.v4.f32
    %f = llvm.load %at {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
    // Small elements as 32 bits.
    // CHECK: "ld.global.nc.L2::cache_hint.v4.b32
    // CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xf16>
    %h = llvm.load %at {alignment = 16 : i64} : !llvm.ptr -> vector<8xf16>
    // CHECK: "ld.global.nc.L2::cache_hint.b16
    // CHECK: llvm.bitcast %{{.*}} : i16 to bf16
    %b = llvm.load %at : !llvm.ptr -> bf16
    // CHECK: "ld.global.nc.L2::cache_hint.b8 $0, [$1], $2;", "=h,l,l"
    // CHECK: llvm.trunc %{{.*}} : i16 to i8
    %c = llvm.load %at : !llvm.ptr -> i8
    // CHECK: "ld.global.nc.L2::cache_hint.b8
    // CHECK: llvm.trunc %{{.*}} : i8 to i1
    %t = llvm.load %at : !llvm.ptr -> i1
    // CHECK-NOT: cache_hint
    // What the kernel writes, itself or by another name; and what has an order.
    %p = llvm.load %v : !llvm.ptr -> f64
    %q = llvm.load %w : !llvm.ptr -> f64
    %r = llvm.load volatile %u : !llvm.ptr -> f64
    llvm.store %x, %v : f64, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: llvm.func @normal(
  llvm.func @normal(%u: !llvm.ptr {llvm.noalias, llvm.readonly}, %shared: !llvm.ptr<7>, %map: !llvm.ptr, %barrier: !llvm.ptr<3>, %at: i32) attributes {nvvm.kernel} {
    // CHECK-NOT: cache_hint
    nvvm.cp.async.bulk.tensor.shared.cluster.global %shared, %map, %barrier, box[%at, %at] : !llvm.ptr<7>, !llvm.ptr
    %x = llvm.load %u : !llvm.ptr -> f64
    llvm.return
  }
}
