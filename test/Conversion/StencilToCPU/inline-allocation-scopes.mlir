// RUN: stencil-opt %s --stencil-inline-allocation-scopes | FileCheck %s

// CHECK-LABEL: func @nothing_allocated
// CHECK-NOT: memref.alloca_scope
// CHECK: llvm.fence
// CHECK: return %arg0
func.func @nothing_allocated(%a: index) -> index {
  %r = memref.alloca_scope -> index {
    llvm.fence seq_cst
    memref.alloca_scope.return %a : index
  }
  return %r : index
}

// CHECK-LABEL: func @something_allocated
// CHECK: memref.alloca_scope
func.func @something_allocated() {
  memref.alloca_scope {
    %b = memref.alloca() : memref<4xf64>
    %zero = arith.constant 0 : index
    %value = memref.load %b[%zero] : memref<4xf64>
    memref.store %value, %b[%zero] : memref<4xf64>
  }
  return
}
