// RUN: stencil-opt %s --stencil-factor-sums="math=reassociate at-least=0" --split-input-file --remarks-filter=Sums 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// Small sums are not bound by their operations; additions are cheaper than products.
// RUN: stencil-opt %s --stencil-factor-sums=math=reassociate --split-input-file | FileCheck %s --check-prefix=WEIGHTS
// RUN: stencil-opt %s --stencil-factor-sums="math=reassociate form=weights" --split-input-file | FileCheck %s --check-prefix=WEIGHTS

!temp = !stencil.temp<?x?xf64>

// A separable sum: a row, then a column.
// CHECK-LABEL: @binomial
// WEIGHTS-LABEL: @binomial
func.func @binomial(%u: !stencil.field<[-1,9]x[-1,9]xf64>, %v: !stencil.field<[-1,9]x[-1,9]xf64>) {
  %t = stencil.load %u : !stencil.field<[-1,9]x[-1,9]xf64> -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    // REMARK: remark: [Passed] SumFactored | Category:Sums | Remark="4.0 operations per point instead of 8, 2 products instead of 5, weights off by 0.0e+00"
    // CHECK: %[[ROW:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, -1], [0, 1], [0, 0]] weights dense<[1.000000e+00, 1.000000e+00, 2.000000e+00]>
    // CHECK: %[[SUM:.*]] = stencil.weighted_sum %[[ROW]] offsets {{\[\[}}-1, 0], [1, 0], [0, 0]] weights dense<[1.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf64> : f64
    // CHECK: stencil.return %[[SUM]]
    // Taps of equal weight first.
    // WEIGHTS: %[[FOUR:.*]] = stencil.access %{{.*}}[0, 0]
    // WEIGHTS: %[[TWOS:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<1.000000e+00> : tensor<4xf64>
    // WEIGHTS: %[[ONES:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}-1, -1], [-1, 1], [1, -1], [1, 1]] weights dense<1.000000e+00> : tensor<4xf64>
    // WEIGHTS: %[[TIMES4:.*]] = arith.mulf %cst{{.*}}, %[[FOUR]]
    // WEIGHTS: %[[A:.*]] = arith.addf %[[ONES]], %[[TIMES4]]
    // WEIGHTS: %[[TIMES2:.*]] = arith.mulf %cst{{.*}}, %[[TWOS]]
    // WEIGHTS: arith.addf %[[A]], %[[TIMES2]]
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]> : tensor<9xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [8, 8]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  return
}

// -----

// Weights that are known at run time only: a symmetric sum has pair sums
// whatever they are. In a region, partial sums stand before it.
!temp = !stencil.temp<?x?xf32>

// CHECK-LABEL: @symmetric
func.func @symmetric(%u: !stencil.field<[-1,9]x[-1,9]xf32>, %v: !stencil.field<[-1,9]x[-1,9]xf32>, %p: f32, %q: f32, %w: f32, %b: i1) {
  %t = stencil.load %u : !stencil.field<[-1,9]x[-1,9]xf32> -> !temp
  %r = stencil.apply(%x = %t : !temp, %c = %p : f32, %d = %q : f32, %e = %w : f32, %f = %b : i1) -> (!temp) {
    // REMARK: remark: [Passed] SumFactored {{.*}}"7.0 operations per point instead of 9
    // CHECK: %[[PAIRS:.*]] = stencil.weighted_sum %[[X:.*]] fastmath<contract> offsets {{\[\[}}0, -1], [0, 1]] weights dense<1.000000e+00> : tensor<2xf32>
    // CHECK: arith.mulf %{{.*}}, %[[PAIRS]] fastmath<contract> : f32
    // CHECK: %[[SIDE:.*]] = stencil.weighted_sum %{{.*}} fastmath<contract> offsets {{\[\[}}-1, 0], [1, 0]] weights dense<1.000000e+00> : tensor<2xf32> : f32
    // CHECK: %[[SUM:.*]] = arith.addf {{.*}}%[[SIDE]]{{.*}}fastmath<contract> : f32
    // CHECK: scf.if
    %i = scf.if %f -> (f32) {
      %s = stencil.weighted_sum %x fastmath<contract> offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights (%c, %d, %c, %d, %e, %d, %c, %d, %c) : !temp
      scf.yield %s : f32
    } else {
      scf.yield %c : f32
    }
    stencil.return %i : f32
  }
  stencil.store %r to %v(<[0, 0], [8, 8]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf32>
  return
}

// -----

// A plane of an input of lower rank; sums over values of the body; integers;
// and a star, of which nothing is shared.
!temp = !stencil.temp<?x?x?xi32>

// CHECK-LABEL: @plane
func.func @plane(%u: !stencil.field<[-1,9]x[-1,9]xi32>, %v: !stencil.field<[0,8]x[-1,9]x[-1,9]xi32>) {
  %t = stencil.load %u : !stencil.field<[-1,9]x[-1,9]xi32> -> !stencil.temp<?x?xi32>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xi32>) -> (!temp) {
    // CHECK: %[[ROW:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, -1], [0, 1]] weights dense<[1, -1]> : tensor<2xi32> attributes {offset_mapping = #stencil.index<[0, 2]>} : !stencil.temp<?x?xi32>
    // CHECK: stencil.weighted_sum %[[ROW]] offsets {{\[\[}}-1, 0, 0], [1, 0, 0]] weights dense<[1, -1]> : tensor<2xi32> : i32
    // REMARK: remark: [Passed] SumFactored {{.*}}"2.0 operations per point instead of 3
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 1], [1, -1], [1, 1]] weights dense<[1, -1, -1, 1]> : tensor<4xi32> attributes {offset_mapping = #stencil.index<[0, 2]>} : !stencil.temp<?x?xi32>
    // REMARK: remark: [Missed] SumNotFactored {{.*}}operations per point
    // CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]]
    %z = stencil.weighted_sum %s offsets [[0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]] weights dense<[1, 2, 3, 4]> : tensor<4xi32> : i32
    stencil.return %z : i32
  }
  stencil.store %r to %v(<[0, 0, 0], [8, 8, 8]>) : !temp to !stencil.field<[0,8]x[-1,9]x[-1,9]xi32>
  return
}

// -----

!temp = !stencil.temp<[-2,10]xi32>

// A point of weight zero is no tap: nothing reads it, as the input ends before it.
// CHECK-LABEL: @zeros
// CHECK-NOT: -3
// WEIGHTS-LABEL: @zeros
// WEIGHTS-NOT: -3
func.func @zeros(%t: !temp) -> !stencil.temp<[0,8]xi32> {
  %r = stencil.apply(%x = %t : !temp) -> (!stencil.temp<[0,8]xi32>) {
    %s = stencil.weighted_sum %x offsets [[-3], [-2], [-1], [0], [1], [2], [3]] weights dense<[0, 5, 5, 5, 7, 7, 0]> : tensor<7xi32> : !temp
    %none = stencil.weighted_sum %x offsets [[8], [9]] weights dense<0> : tensor<2xi32> : !temp
    %v = arith.addi %s, %none : i32
    stencil.return %v : i32
  }
  return %r : !stencil.temp<[0,8]xi32>
}

// -----

!temp = !stencil.temp<?x?xf32>

// What is read in a branch only is not read elsewhere.
// CHECK-LABEL: @branch
// WEIGHTS-LABEL: @branch
func.func @branch(%t: !temp, %b: i1) -> !stencil.temp<[0,8]x[0,8]xf32> {
  %r = stencil.apply(%x = %t : !temp, %c = %b : i1) -> (!stencil.temp<[0,8]x[0,8]xf32>) {
    // WEIGHTS: stencil.access %{{.*}}[0, 0]
    // WEIGHTS-NEXT: scf.if
    // WEIGHTS-NEXT: stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, -1], [0, 1], [-1, 0], [1, 0]] weights dense<1.000000e+00>
    // WEIGHTS: arith.mulf
    %here = stencil.access %x[0, 0] : !temp
    %i = scf.if %c -> (f32) {
      %s = stencil.weighted_sum %x offsets [[0, -1], [0, 1], [-1, 0], [1, 0]] weights dense<3.0> : tensor<4xf32> : !temp
      scf.yield %s : f32
    } else {
      scf.yield %here : f32
    }
    stencil.return %i : f32
  }
  return %r : !stencil.temp<[0,8]x[0,8]xf32>
}
