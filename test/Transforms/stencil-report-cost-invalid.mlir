// RUN: not stencil-opt --stencil-report-cost=output=%t.none/cost.json %s 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not stencil-opt --stencil-report-cost=format=xml %s 2>&1 | FileCheck %s --check-prefix=FORMAT

// OUTPUT: error: '{{.*}}.none/cost.json': {{[Nn]}}o such file or directory
// FORMAT: xml

func.func @none() {
  return
}
