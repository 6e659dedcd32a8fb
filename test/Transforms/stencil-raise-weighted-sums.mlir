// What may be reassociated: any tree becomes one sum per input.
// RUN: stencil-opt %s --stencil-raise-weighted-sums=math=reassociate --split-input-file --remarks-filter=Sums > %t.once.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.once.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// Twice is the same as once.
// RUN: stencil-opt %t.once.mlir --stencil-raise-weighted-sums=math=reassociate --split-input-file | diff %t.once.mlir -

!t2 = !stencil.temp<?x?xf64>

// Any association, common factors, negation, division, fma.
// CHECK-LABEL: @tree
func.func @tree(%a: !t2) -> !t2 {
  %r = stencil.apply(%x = %a : !t2) -> (!t2) {
    // CHECK: stencil.apply
    // CHECK-NEXT: %[[S:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[-1.000000e+00, -5.000000e-01, 3.500000e+00, 5.000000e-01, 2.000000e+00]>
    // CHECK-NEXT: stencil.return %[[S]]
    %n = stencil.access %x[-1, 0] : !t2
    %w = stencil.access %x[0, -1] : !t2
    %c = stencil.access %x[0, 0] : !t2
    %e = stencil.access %x[0, 1] : !t2
    %s = stencil.access %x[1, 0] : !t2
    %two = arith.constant 2.0 : f64
    %three = arith.constant 3.0 : f64
    %d = arith.subf %e, %w : f64
    %half = arith.divf %d, %two : f64
    %m = arith.negf %n : f64
    %f = math.fma %three, %c, %m : f64
    %q = arith.constant 0.5 : f64
    %cq = arith.mulf %c, %q : f64
    %s2 = arith.mulf %s, %two : f64
    %cs = arith.addf %cq, %s2 : f64
    %fc = arith.addf %cs, %f : f64
    %r = arith.addf %half, %fc : f64
    stencil.return %r : f64
  }
  return %r : !t2
}

// -----

!t1 = !stencil.temp<?xf64>

// (l / 9) * 3 + (c / 3) * 3: weights are rounded once.
// CHECK-LABEL: @rounded_once
func.func @rounded_once(%a: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1) -> (!t1) {
    // CHECK: weights dense<[0.33333333333333331, 1.000000e+00]>
    %l = stencil.access %x[-1] : !t1
    %c = stencil.access %x[0] : !t1
    %three = arith.constant 3.0 : f64
    %nine = arith.constant 9.0 : f64
    %s3 = arith.divf %l, %nine : f64
    %s = arith.mulf %s3, %three : f64
    %u = arith.divf %c, %three : f64
    %v = arith.mulf %u, %three : f64
    %r = arith.addf %s, %v : f64
    stencil.return %r : f64
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// What cancels disappears; a point that is left alone is an access.
// CHECK-LABEL: @cancel
func.func @cancel(%a: !t1, %b: !t1) -> (!t1, !t1, !t1) {
  %r:3 = stencil.apply(%x = %a : !t1, %y = %b : !t1) -> (!t1, !t1, !t1) {
    // CHECK: stencil.apply
    // CHECK-NOT: arith.{{add|sub|mul}}
    // CHECK-DAG: %[[L:.*]] = stencil.access %{{.*}}[-1]
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
    // CHECK-DAG: %[[D:.*]] = stencil.access %{{.*}}[5]
    // CHECK: stencil.return %[[L]], %[[ZERO]], %[[D]]
    %l = stencil.access %x[-1] : !t1
    %c = stencil.access %x[0] : !t1
    %d = stencil.access %y[5] : !t1
    %s = arith.addf %l, %c : f64
    %r = arith.subf %s, %c : f64
    %z = arith.subf %c, %c : f64
    %zero = arith.constant 0.0 : f64
    %c0 = arith.mulf %c, %zero : f64
    %dz = arith.addf %d, %c0 : f64
    stencil.return %r, %z, %dz : f64, f64, f64
  }
  return %r#0, %r#1, %r#2 : !t1, !t1, !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// Scalars that all weights have in common stay outside; else they are in the
// weights.
// CHECK-LABEL: @scalars
func.func @scalars(%a: !t1, %c: f64) -> (!t1, !t1) {
  %r:2 = stencil.apply(%x = %a : !t1, %k = %c : f64) -> (!t1, !t1) {
    // CHECK: stencil.apply(%[[X:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}} : f64)
    // CHECK-DAG: %[[LAP:.*]] = stencil.weighted_sum %[[X]] offsets {{\[}}[-1], [0], [1]] weights dense<[1.000000e+00, -2.000000e+00, 1.000000e+00]>
    // CHECK-DAG: %[[FIRST:.*]] = arith.mulf %[[K]], %[[LAP]]
    // CHECK-DAG: %[[TWO:.*]] = arith.constant -2.000000e+00
    // CHECK-DAG: %[[KK:.*]] = arith.mulf %[[K]], %[[TWO]]
    // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00
    // CHECK-DAG: %[[MID:.*]] = arith.addf %[[KK]], %[[ONE]]
    // CHECK-DAG: %[[SECOND:.*]] = stencil.weighted_sum %[[X]] offsets {{\[}}[-1], [0], [1]] weights (%[[K]], %[[MID]], %[[K]])
    // CHECK: stencil.return %[[FIRST]], %[[SECOND]]
    %l = stencil.access %x[-1] : !t1
    %m = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %two = arith.constant 2.0 : f64
    %kl = arith.mulf %k, %l : f64
    %kr = arith.mulf %r, %k : f64
    %k2 = arith.mulf %k, %two : f64
    %km = arith.mulf %m, %k2 : f64
    %s0 = arith.addf %kl, %kr : f64
    %m2 = arith.mulf %two, %m : f64
    %s1 = arith.addf %l, %r : f64
    %s2 = arith.subf %s1, %m2 : f64
    %first = arith.mulf %k, %s2 : f64
    %s3 = arith.addf %l, %r : f64
    %s4 = arith.subf %s3, %m2 : f64
    %s5 = arith.mulf %s4, %k : f64
    %second = arith.addf %m, %s5 : f64
    stencil.return %first, %second : f64, f64
  }
  return %r#0, %r#1 : !t1, !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// Products of scalars, and a constant.
// CHECK-LABEL: @constant_term
func.func @constant_term(%a: !t1, %b: !t1, %c: f64) -> !t1 {
  %r = stencil.apply(%x = %a : !t1, %y = %b : !t1, %k = %c : f64) -> (!t1) {
    // CHECK: %[[Y:.*]] = stencil.access
    // CHECK: %[[X:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<3.000000e+00>
    // CHECK: %[[K3:.*]] = arith.mulf %{{.*}}, %cst
    // CHECK: %[[C:.*]] = arith.addf %[[K3]], %cst
    // CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]]
    // CHECK: arith.addf %[[S]], %[[C]]
    %l = stencil.access %x[-1] : !t1
    %r = stencil.access %x[1] : !t1
    %w = stencil.access %y[0] : !t1
    %one = arith.constant 1.0 : f64
    %three = arith.constant 3.0 : f64
    %l1 = arith.addf %l, %one : f64
    %rk = arith.addf %r, %k : f64
    %s = arith.addf %l1, %rk : f64
    %s3 = arith.mulf %s, %three : f64
    %res = arith.addf %s3, %w : f64
    stencil.return %res : f64
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// A sum of several terms with several users is computed once; a multiple of a
// single value is not kept for that.
// CHECK-LABEL: @shared
func.func @shared(%a: !t1) -> (!t1, !t1) {
  %r:2 = stencil.apply(%x = %a : !t1) -> (!t1, !t1) {
    // CHECK: %[[D:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<1.000000e+00>
    // CHECK: %[[E:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[0], [2]] weights dense<[2.000000e+00, 1.000000e+00]>
    // CHECK: %[[F:.*]] = arith.addf %[[D]], %[[E]]
    // CHECK: %[[G:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[0], [3]] weights dense<[2.000000e+00, 1.000000e+00]>
    // CHECK: %[[H:.*]] = arith.addf %[[G]], %[[D]]
    // CHECK: stencil.return %[[F]], %[[H]]
    %l = stencil.access %x[-1] : !t1
    %c = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %p = stencil.access %x[2] : !t1
    %q = stencil.access %x[3] : !t1
    %two = arith.constant 2.0 : f64
    %d = arith.addf %l, %r : f64
    %c2 = arith.mulf %two, %c : f64
    %e = arith.addf %d, %c2 : f64
    %f = arith.addf %e, %p : f64
    %g = arith.addf %c2, %q : f64
    %h = arith.addf %g, %d : f64
    stencil.return %f, %h : f64, f64
  }
  return %r#0, %r#1 : !t1, !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// The nonlinear rest stays, and its value is a term.
// CHECK-LABEL: @nonlinear
func.func @nonlinear(%a: !t1, %b: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1, %y = %b : !t1) -> (!t1) {
    // CHECK: %[[Y:.*]] = stencil.access %{{.*}}[0]
    // CHECK: %[[D:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<[-1.000000e+00, 1.000000e+00]>
    // CHECK: %[[P:.*]] = arith.mulf %[[D]], %[[Y]]
    // CHECK: %[[S:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[0], [1]] weights dense<1.000000e+00>
    // CHECK: arith.addf %[[S]], %[[P]]
    %l = stencil.access %x[-1] : !t1
    %c = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %w = stencil.access %y[0] : !t1
    %d = arith.subf %r, %l : f64
    %p = arith.mulf %d, %w : f64
    %s = arith.addf %c, %p : f64
    %res = arith.addf %s, %r : f64
    stencil.return %res : f64
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// Sums that are there are taken up, also over values of the body.
// CHECK-LABEL: @sums_of_sums
func.func @sums_of_sums(%a: !t1) -> (!t1, !t1) {
  %r:2 = stencil.apply(%x = %a : !t1) -> (!t1, !t1) {
    // CHECK: stencil.apply
    // CHECK-NEXT: %[[V:.*]] = stencil.access
    // CHECK-NEXT: %[[S:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [0], [1]] weights dense<[2.000000e+00, 1.000000e+00, 2.000000e+00]>
    // CHECK-NEXT: %[[SQ:.*]] = arith.mulf %[[V]], %[[V]]
    // CHECK-NEXT: %[[T:.*]] = stencil.weighted_sum %[[SQ]] offsets {{\[}}[-1], [0]] weights dense<[5.000000e-01, 1.500000e+00]> : tensor<2xf64> : f64
    // CHECK-NEXT: stencil.return %[[S]], %[[T]]
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<1.0> : tensor<2xf64> : !t1
    %v = stencil.access %x[0] : !t1
    %two = arith.constant 2.0 : f64
    %s2 = arith.mulf %two, %s : f64
    %r0 = arith.addf %s2, %v : f64
    %sq = arith.mulf %v, %v : f64
    %half = stencil.weighted_sum %sq offsets [[-1], [0]] weights dense<0.5> : tensor<2xf64> : f64
    %r1 = arith.addf %half, %sq : f64
    stencil.return %r0, %r1 : f64, f64
  }
  return %r#0, %r#1 : !t1, !t1
}

// -----

!t3 = !stencil.temp<?x?x?xf64>
!t1 = !stencil.temp<?xf64>

// Inputs of lower rank: one sum for each way to map the axes.
// CHECK-LABEL: @lower_rank
func.func @lower_rank(%a: !t1, %b: !t3) -> !t3 {
  %r = stencil.apply(%x = %a : !t1, %y = %b : !t3) -> (!t3) {
    // CHECK-DAG: stencil.weighted_sum %[[X:.*]] offsets {{\[}}[-1], [1]] weights dense<1.000000e+00> : tensor<2xf64> attributes {offset_mapping = #stencil.index<[1]>} : !stencil.temp<?xf64>
    // CHECK-DAG: stencil.access %[[X]][_, _, 1]
    %l = stencil.access %x[_, -1, _] : !t1
    %r = stencil.access %x[_, 1, _] : !t1
    %o = stencil.access %x[_, _, 1] : !t1
    %c = stencil.access %y[0, 0, 0] : !t3
    %s = arith.addf %l, %o : f64
    %t = arith.addf %c, %r : f64
    %u = arith.addf %s, %t : f64
    stencil.return %u : f64
  }
  return %r : !t3
}

// -----

!h = !stencil.temp<?xf16>
!s = !stencil.temp<?xf32>

// Values of an input are extended exactly; a rounded sum is a value of its own.
// CHECK-LABEL: @wider
func.func @wider(%a: !h) -> (!s, !s) {
  %r:2 = stencil.apply(%x = %a : !h) -> (!s, !s) {
    // CHECK: %[[S:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<[1.000000e+00, 1.000000e-01]> : tensor<2xf32> : !stencil.temp<?xf16> -> f32
    // CHECK: %[[H:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<1.000000e+00> : tensor<2xf16> : !stencil.temp<?xf16>
    // CHECK: %[[E:.*]] = arith.extf %[[H]]
    // CHECK: arith.addf %{{.*}}, %[[E]]
    %l = stencil.access %x[-1] : !h
    %r = stencil.access %x[1] : !h
    %le = arith.extf %l : f16 to f32
    %re = arith.extf %r : f16 to f32
    %tenth = arith.constant 0.1 : f32
    %rt = arith.mulf %re, %tenth : f32
    %s = arith.addf %le, %rt : f32
    %h = arith.addf %l, %r : f16
    %e = arith.extf %h : f16 to f32
    %m = arith.addf %le, %e : f32
    stencil.return %s, %m : f32, f32
  }
  return %r#0, %r#1 : !s, !s
}

// -----

!t1 = !stencil.temp<?xf64>

// In branches, too. A sum is not moved into a loop.
// CHECK-LABEL: @regions
func.func @regions(%a: !t1, %flag: i1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1, %f = %flag : i1) -> (!t1) {
    %l = stencil.access %x[-1] : !t1
    %r = stencil.access %x[1] : !t1
    %s = arith.addf %l, %r : f64
    %d = arith.subf %r, %l : f64
    // CHECK: %[[D:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<[-1.000000e+00, 1.000000e+00]>
    // CHECK: scf.if
    %v = scf.if %f -> (f64) {
      // CHECK-NEXT: %[[T:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [0], [1]] weights dense<1.000000e+00>
      // CHECK-NEXT: scf.yield %[[T]]
      %c = stencil.access %x[0] : !t1
      %t = arith.addf %s, %c : f64
      scf.yield %t : f64
    } else {
      scf.yield %l : f64
    }
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %ten = arith.constant 10 : index
    // CHECK: scf.for
    // CHECK: arith.addf %{{.*}}, %[[D]]
    %w = scf.for %i = %zero to %ten step %one iter_args(%acc = %v) -> (f64) {
      %next = arith.addf %acc, %d : f64
      scf.yield %next : f64
    }
    stencil.return %w : f64
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// Each of the points that an unrolled body returns has a sum of its own.
// CHECK-LABEL: @unrolled
func.func @unrolled(%a: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1) -> (!t1) {
    // CHECK: %[[A:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [0]]
    // CHECK: %[[B:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[0], [1]]
    // CHECK: stencil.return %[[A]], %[[B]] unroll <[2]>
    %l = stencil.access %x[-1] : !t1
    %c = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %s = arith.addf %l, %c : f64
    %t = arith.addf %c, %r : f64
    stencil.return %s, %t unroll <[2]> : f64, f64
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf16>

// A weight that is no number of the type: as it was.
// CHECK-LABEL: @too_large
func.func @too_large(%a: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1) -> (!t1) {
    // CHECK-NOT: stencil.weighted_sum
    // CHECK: stencil.return
    %l = stencil.access %x[-1] : !t1
    %r = stencil.access %x[1] : !t1
    %k = arith.constant 30000.0 : f16
    %k0 = arith.mulf %l, %k : f16
    %k1 = arith.mulf %k0, %k : f16
    // REMARK: remark: [Missed] SumNotRaised | Category:Sums{{.*}}a weight would not be finite
    %s = arith.addf %k1, %r : f16
    stencil.return %s : f16
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xi8>

// CHECK-LABEL: @integers
func.func @integers(%a: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1) -> (!t1) {
    // 3 * 100 + 4 = 48 modulo 256
    // CHECK: stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<[48, -1]> : tensor<2xi8>
    %l = stencil.access %x[-1] : !t1
    %r = stencil.access %x[1] : !t1
    %three = arith.constant 3 : i8
    %hundred = arith.constant 100 : i8
    %two = arith.constant 2 : i8
    %l3 = arith.muli %l, %three : i8
    %l300 = arith.muli %hundred, %l3 : i8
    %l4 = arith.shli %l, %two : i8
    %s = arith.addi %l4, %l300 : i8
    %d = arith.subi %s, %r : i8
    stencil.return %d : i8
  }
  return %r : !t1
}
