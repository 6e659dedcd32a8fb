// Errors about a whole program had line 0.
// RUN: not stencil-opt %s --stencil-to-cpu=vector-bits=3 2>&1 | FileCheck %s

// CHECK: errors-of-programs.mlir:1:1: error:

func.func @nothing() {
  return
}
