// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --emit-bytecode | stencil-opt | FileCheck %s

// CHECK: module attributes {stencil.target = #stencil.target<chip = "sm_90">}
module attributes {stencil.target = #stencil.target<chip = "sm_90">} {
  // CHECK: module @other attributes {stencil.target = #stencil.target<chip = "gfx90a">}
  module @other attributes {stencil.target = #stencil.target<chip = "gfx90a">} {
  }
}
