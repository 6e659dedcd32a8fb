// RUN: stencil-opt %s --pass-pipeline='builtin.module(gpu.module(stencil-declare-dynamic-memory))' | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @dynamic() {addr_space = 3 : i32, alignment = 16 : i64, dso_local} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global external @wide() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @wide() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // Static memory, and what is not shared.
  // CHECK: llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<4 x i64>
  llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<4 x i64>
  // CHECK: llvm.mlir.global internal @empty() {addr_space = 0 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @empty() : !llvm.array<0 x i8>
}
