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
}
