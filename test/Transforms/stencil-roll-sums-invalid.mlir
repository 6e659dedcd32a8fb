// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --stencil-roll-sums=min-taps=0 --split-input-file 2>&1 | FileCheck %s
// CHECK: error: expected 'min-taps' of at least 1, got 0

!field = !stencil.field<[-64,128]xf64>

func.func @not_a_sum(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    // expected-error@+1 {{expected 'stencil.tap_loop' on a stencil.weighted_sum over an input with constant weights only}}
    %s = stencil.access %x[0] attributes {stencil.tap_loop} : !field
    stencil.return %s : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-64,128]xf64>

func.func @not_a_unit(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    // expected-error@+1 {{expected a unit as 'stencil.tap_loop', got 3}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[1.0, 2.0]> : tensor<2xf64> attributes {stencil.tap_loop = 3} : !field
    stencil.return %s : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-64,128]xf64>

// From the caches of a GPU there is no such loop.
func.func @no_window(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    // expected-error@+1 {{has no lowering here; run stencil-expand-weighted-sums}}
    %s = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[1.0, 2.0]> : tensor<2xf64> attributes {stencil.tap_loop} : !field
    stencil.return %s : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 1], stream = 0>} {
    %t = stencil.load %u : !field -> !temp
    %w = stencil.window shared %t depth 4 lead 2 : !temp
    %r = stencil.apply(%x = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      // expected-error@+1 {{expected a pipeline without a walk for a loop over taps}}
      %s = stencil.weighted_sum %x offsets [[0, 0], [0, 1]] weights dense<[1.0, 2.0]> : tensor<2xf64> attributes {stencil.tap_loop} : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
