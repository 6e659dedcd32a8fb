// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=3 rim=at-once math=reassociate" --verify-diagnostics
// RUN: not stencil-opt %s --split-input-file --stencil-compose-steps="steps=3 rim=here math=reassociate" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: echo "module {}" | not stencil-opt --stencil-compose-steps="steps=3 tolerance=1" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: echo "module {}" | not stencil-opt --stencil-compose-steps="steps=5000 tolerance=1e-17" 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not stencil-opt %S/Inputs/plane-loop.mlir --stencil-compose-steps="steps=3 tolerance=1e-17 math=reassociate" 2>&1 | FileCheck %s --check-prefix=PLANE
// RUN: not stencil-opt %S/Inputs/growing-loop.mlir --stencil-compose-steps="steps=1100 tolerance=1e-17 math=reassociate" 2>&1 | FileCheck %s --check-prefix=LARGE

// NAME: Cannot find option named 'here'
// RANGE: expected a tolerance from 0 to below 1, got 1.000000
// STEPS: expected steps from 2 to 4096, got 5000
// PLANE: cannot compose 3 steps of this loop: a tolerance is for sums over a single axis, got 2
// LARGE: cannot compose 1100 steps of this loop: a composed weight is too large for its type

!field = !stencil.field<[-1,17]x[-1,17]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @plane(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: a rim at once is one of a single axis, got 2}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [16, 16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,17]xi32>
!temp = !stencil.temp<?xi32>

func.func @integers(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: a rim at once is one of floats, got integers}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<2> : tensor<2xi32> : !temp
      stencil.return %w : i32
    }
    stencil.store %s to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,17]xf64>
!temp = !stencil.temp<?xf64>

func.func @scalars(%a: !field, %b: !field, %k: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: the weights of the step are not constants, which those of a rim at once are}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp, %c = %k : f64) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights (%c, %c) : !temp
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

func.func @deep(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: the boundary condition reads beyond the rim}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note @+1 {{because of this}}
    stencil.boundary %u(<[0], [16]>) [#stencil.extrapolate<7>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [16]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,7]xf64>
!temp = !stencil.temp<?xf64>

func.func @small(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot compose 3 steps of this loop: the interior has 6 points along axis 0, expected more than 6}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [6]>) [#stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [6]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
