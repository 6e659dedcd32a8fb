// RUN: stencil-opt %s | stencil-opt | FileCheck %s

// CHECK-LABEL: func @diamonds
// CHECK: stencil.diamonds = #stencil.diamonds<steps = 7>}
// CHECK: stencil.diamonds = #stencil.diamonds<steps = 9, tile = 16>}
// What is chosen may be left again.
// CHECK: stencil.chosen_diamonds, stencil.diamonds = #stencil.diamonds<steps = 3>}
func.func @diamonds(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
  } {stencil.diamonds = #stencil.diamonds<steps = 7, tile = 0>}
  scf.for %i = %zero to %n step %one {
  } {stencil.diamonds = #stencil.diamonds<tile = 16, steps = 9>}
  scf.for %i = %zero to %n step %one {
  } {stencil.chosen_diamonds, stencil.diamonds = #stencil.diamonds<steps = 3>}
  return
}
