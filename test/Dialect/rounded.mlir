// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

// CHECK-LABEL: func.func @product
func.func @product(%a: f64) -> f64 {
  // CHECK: arith.mulf %{{.*}}, %{{.*}} {stencil.rounded} : f64
  %p = arith.mulf %a, %a {stencil.rounded} : f64
  %s = arith.addf %p, %a : f64
  return %s : f64
}
