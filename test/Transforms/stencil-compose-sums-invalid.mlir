// RUN: stencil-opt %s --stencil-compose-sums='math=reassociate force=a' --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --stencil-compose-sums='force=c' --split-input-file 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not stencil-opt %s --stencil-compose-sums='force=a forbid=a' --split-input-file 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not stencil-opt %s --stencil-compose-sums='gain=0' --split-input-file 2>&1 | FileCheck %s --check-prefix=GAIN
// RUN: not stencil-opt %s --stencil-compose-sums='force=a' --split-input-file 2>&1 | FileCheck %s --check-prefix=MATH
// RUN: not stencil-opt %s --stencil-compose-sums='math=reassociate force=a max-taps=2' --split-input-file 2>&1 | FileCheck %s --check-prefix=TAPS

// NAME: error: expected the name of a stencil.apply (attribute stencil.name), got 'c'
// BOTH: error: 'a' is to be composed, and not to be
// GAIN: error: expected a positive gain, got 0
// MATH: error: 'stencil.apply' op cannot be composed as asked: a sum is not part of one that may be reassociated
// TAPS: error: 'stencil.apply' op cannot be composed as asked: too many taps

// Possible: an error under some of the options above only.
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @possible(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %d = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !temp
    %s = stencil.weighted_sum %d offsets [[-1], [0]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : f64
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @nothing(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be composed as asked: it has no weighted sum over a value of its body, and no stencil.apply reads its results}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %d = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !temp
    stencil.return %d : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @not_linear(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be composed as asked: it is not linear, or may not be reassociated}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %a = stencil.access %x[0] : !temp
    %d = arith.mulf %a, %a : f64
    stencil.return %d : f64
  }
  %q = stencil.apply(%x = %r : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-1], [0]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %q to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @computed(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be composed as asked: its result is read at computed coordinates}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %d = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !temp
    stencil.return %d : f64
  }
  %q = stencil.apply(%x = %r : !temp) -> (!temp) {
    %i = stencil.index 0 <[0]>
    // expected-note @below {{because of this}}
    %s = stencil.dyn_access %x[%i] in <[0]> : <[0]> : !temp
    stencil.return %s : f64
  }
  stencil.store %q to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// The weights of the product are no numbers of the type.
!field = !stencil.field<[-2,66]xf32>
!temp = !stencil.temp<?xf32>
func.func @overflow(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error @below {{cannot be composed as asked: a weight is not finite}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %d = stencil.weighted_sum %x offsets [[0], [1]] weights dense<[-1.0e30, 1.0]> : tensor<2xf32> : !temp
    // expected-note @below {{because of this}}
    %s = stencil.weighted_sum %d offsets [[-1], [0]] weights dense<[-1.0e30, 1.0]> : tensor<2xf32> : f32
    stencil.return %s : f32
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}
