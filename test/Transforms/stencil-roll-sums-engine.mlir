// What the schedule of a pipeline says of engines is obeyed: loops over few taps, none over many, or an error.
// RUN: stencil-opt %s --stencil-roll-sums=min-taps=3 --split-input-file --verify-diagnostics | FileCheck %s

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>

// CHECK-LABEL: @taps
func.func @taps(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], engine = taps>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      // CHECK: stencil.weighted_sum {{.*}} attributes {stencil.tap_loop} :
      %s = stencil.weighted_sum %a offsets [[0], [2]] weights dense<[1.0, 2.0]> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,74]xf64>
!temp = !stencil.temp<?xf64>

// CHECK-LABEL: @fma
// CHECK-NOT: tap_loop
func.func @fma(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], engine = fma>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-8], [-7], [-6], [-5], [-4], [-3], [-2], [-1], [0], [1], [2], [3], [4], [5], [6], [7], [8]] weights dense<2.0> : tensor<17xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

// Unasked, where it pays.
!field = !stencil.field<[-8,74]xf64>
!temp = !stencil.temp<?xf64>

// CHECK-LABEL: @unasked
// CHECK: tap_loop
func.func @unasked(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-8], [-7], [-6], [-5], [-4], [-3], [-2], [-1], [0], [1], [2], [3], [4], [5], [6], [7], [8]] weights dense<2.0> : tensor<17xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @impossible(%u: !field, %v: !field) {
  // expected-error@+1 {{has no sum for 'engine = taps': expected a stencil.weighted_sum with constant weights of an input in a shared window, in a pipeline of one stage without a walk}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], engine = taps>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[0], [2]] weights dense<[1.0, 2.0]> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}
