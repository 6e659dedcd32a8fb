// RUN: not stencil-opt --stencil-report-cost=chip=sm_1 %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not stencil-opt --stencil-report-cost="chip= output=%t.none/cost.json" %s 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not stencil-opt --stencil-report-cost=format=xml %s 2>&1 | FileCheck %s --check-prefix=FORMAT

// CHIP: error: expected the chip of a GPU that LLVM knows
// OUTPUT: error: '{{.*}}.none/cost.json': {{[Nn]}}o such file or directory
// FORMAT: xml

func.func @none() {
  return
}
