// With a tolerance, too, nobody waits for hours, or has no memory left, for the ends of a sum that are then dropped.
// RUN: not stencil-opt %s --split-input-file --stencil-compose-steps="steps=4096 tolerance=1e-17 math=reassociate" 2>&1 | FileCheck %s
// RUN: not stencil-opt %s --split-input-file --stencil-compose-steps="steps=2 rim=at-once math=reassociate" 2>&1 | FileCheck %s --check-prefix=MATRIX
// CHECK: error: cannot compose 4096 steps of this loop: the composed sum would reach over more than 1048576 points
// CHECK: error: cannot compose 4096 steps of this loop: multiplying out its sums would take more than 1073741824 products
// MATRIX: error: cannot compose 2 steps of this loop: the matrix of its rim would have more than 16777216 elements

!field = !stencil.field<[-8000,1000000]xf64>
!temp = !stencil.temp<?xf64>

func.func @far(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-8000]] weights dense<0.5> : tensor<1xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [1000000]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-200,1000000]xf64>
!temp = !stencil.temp<?xf64>

func.func @near(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-200], [0]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [1000000]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
