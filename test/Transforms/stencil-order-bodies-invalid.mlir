// RUN: not stencil-opt %s --stencil-order-bodies=registers=-1 2>&1 | FileCheck %s
// RUN: not stencil-opt %s --stencil-order-bodies=math=fast 2>&1 | FileCheck %s --check-prefix=MATH

// CHECK: error: expected 'registers' of at least 0, got -1
// MATH: Cannot find option named 'fast'!
func.func @nothing() {
  return
}
