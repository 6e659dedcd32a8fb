// RUN: stencil-opt %s --@FLAG@ | FileCheck %s

// CHECK-LABEL: @twice
func.func @twice(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  %t = stencil.load %u : !stencil.field<[0,8]xf64> -> !stencil.temp<[0,8]xf64>
  // CHECK: stencil.apply
  %r = stencil.apply(%x = %t : !stencil.temp<[0,8]xf64>) -> (!stencil.temp<[0,8]xf64>) {
    // CHECK: %[[VALUE:.*]] = stencil.access
    %value = stencil.access %x[0] : !stencil.temp<[0,8]xf64>
    %two = arith.constant 2.0 : f64
    // CHECK-NOT: arith.mulf
    // CHECK: arith.addf %[[VALUE]], %[[VALUE]] : f64
    %twice = arith.mulf %value, %two : f64
    stencil.return %twice : f64
  }
  stencil.store %r to %v(<[0], [8]>) : !stencil.temp<[0,8]xf64> to !stencil.field<[0,8]xf64>
  return
}
