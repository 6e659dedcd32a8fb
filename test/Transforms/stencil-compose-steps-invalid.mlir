// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=3 math=reassociate" --verify-diagnostics
// RUN: echo "module {}" | not stencil-opt --stencil-compose-steps 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: echo "module {}" | not stencil-opt --stencil-compose-steps=steps=2 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stencil-opt %examples/acoustic25.mlir --stencil-compose-steps="steps=2 math=reassociate" 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not stencil-opt %S/stencil-compose-steps.mlir --split-input-file --stencil-compose-steps=steps=2 2>&1 | FileCheck %s --check-prefix=MATH

// STEPS: expected steps from 2 to 1024, got 0
// NONE: expected a time loop, to compose 2 of its steps; there is none
// LEVELS: cannot compose 2 steps of this loop: a step is computed from 2 earlier states, expected one
// MATH: cannot compose 2 steps of this loop: the order of its sums may not be changed; needs math=reassociate, or fastmath<reassoc> on the sums

!field = !stencil.field<[-1,17]xf64>
!temp = !stencil.temp<?xf64>

func.func @nonlinear(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: the step is not linear in the state}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [16]>) [#stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %c = stencil.access %x[1] : !temp
      %w = arith.mulf %c, %c : f64
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,5]xf64>
!temp = !stencil.temp<?xf64>

func.func @small(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: the interior has 4 points along axis 0, expected more than 4}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [4]>) [#stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [4]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,17]xf64>
!temp = !stencil.temp<?xf64>

func.func @overflow(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: a composed weight is too large for its type}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [16]>) [#stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<1.0e200> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,17]xf64>
!temp = !stencil.temp<?xf64>

func.func @late(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: the halo of the next state is set at the end of a step, expected it at the beginning of the next one}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [16]>) : !temp to !field
    // expected-note @+1 {{because of this}}
    stencil.boundary %v(<[0], [16]>) [#stencil.neumann] : !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,17]xf64>
!temp = !stencil.temp<?xf64>

func.func @notime(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: a value is folded, on which others may depend}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [16]>) [#stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [16]>) : !temp to !field
    // expected-note @+1 {{because of this}}
    %m = stencil.fold %s(<[0], [16]>) max : !temp
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,17]xf64>
!temp = !stencil.temp<?xf64>

func.func @coefficient(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: a step loads several values}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %k = stencil.load %c : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %k : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
