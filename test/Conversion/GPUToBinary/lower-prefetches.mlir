// RUN: stencil-opt %s --pass-pipeline="builtin.module(gpu.module(stencil-lower-prefetches))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @prefetch
  // CHECK-SAME: %[[GLOBAL:.*]]: !llvm.ptr<1>, %[[ANY:.*]]: !llvm.ptr, %[[SHARED:.*]]: !llvm.ptr<3>
  llvm.func @prefetch(%global: !llvm.ptr<1>, %any: !llvm.ptr, %shared: !llvm.ptr<3>) {
    // CHECK: nvvm.prefetch level = L2, %[[GLOBAL]]
    "llvm.intr.prefetch"(%global) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}> : (!llvm.ptr<1>) -> ()
    // CHECK: %[[CAST:.*]] = llvm.addrspacecast %[[ANY]] : !llvm.ptr to !llvm.ptr<1>
    // CHECK: nvvm.prefetch level = L2, %[[CAST]]
    "llvm.intr.prefetch"(%any) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
    // Not in the memory that has that cache.
    // CHECK: "llvm.intr.prefetch"(%[[SHARED]])
    "llvm.intr.prefetch"(%shared) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}> : (!llvm.ptr<3>) -> ()
    llvm.return
  }

  // An element of a buffer, by its address.
  // CHECK-LABEL: llvm.func @element
  // CHECK-SAME: %[[BUFFER:.*]]: !llvm.ptr, %[[INDEX:.*]]: i64
  llvm.func @element(%buffer: !llvm.ptr, %index: i64) {
    // CHECK: %[[START:.*]] = llvm.ptrtoint %[[BUFFER]] : !llvm.ptr to i64
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(4 : i64) : i64
    // CHECK: %[[DISTANCE:.*]] = llvm.mul %[[INDEX]], %[[SIZE]] : i64
    // CHECK: %[[SUM:.*]] = llvm.add %[[START]], %[[DISTANCE]] : i64
    // CHECK: %[[ADDRESS:.*]] = llvm.inttoptr %[[SUM]] : i64 to !llvm.ptr<1>
    // CHECK: nvvm.prefetch level = L2, %[[ADDRESS]]
    %0 = llvm.getelementptr %buffer[%index] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "llvm.intr.prefetch"(%0) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
    llvm.return
  }
}

// LLVM's intrinsic is for sm_90 and later; the instruction is in all of PTX.
gpu.module @old [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: llvm.func @as_text
  llvm.func @as_text(%global: !llvm.ptr<1>) {
    // CHECK-NEXT: llvm.inline_asm has_side_effects "prefetch.global.L2 [$0];", "l" %{{.*}} : (!llvm.ptr<1>) -> ()
    // CHECK-NEXT: llvm.return
    "llvm.intr.prefetch"(%global) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}> : (!llvm.ptr<1>) -> ()
    llvm.return
  }
}

gpu.module @new [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: llvm.func @as_intrinsic
  llvm.func @as_intrinsic(%global: !llvm.ptr<1>) {
    // CHECK-NEXT: nvvm.prefetch level = L2
    "llvm.intr.prefetch"(%global) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}> : (!llvm.ptr<1>) -> ()
    llvm.return
  }
}
