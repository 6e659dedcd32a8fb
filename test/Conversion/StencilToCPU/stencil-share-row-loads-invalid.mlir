// A line is no length that a cache cannot have.
// RUN: not stencil-opt %s --pass-pipeline='builtin.module(func.func(stencil-share-row-loads{line-bytes=48}))' 2>&1 | FileCheck %s
// CHECK: error: expected line-bytes to be a power of two, got 48
func.func @f() {
  return
}
