// Without the permission to reassociate: only what is a weighted sum as written.
// RUN: stencil-opt %s --stencil-raise-weighted-sums --split-input-file > %t.once.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,CONTRACT < %t.once.mlir
// RUN: stencil-opt %t.once.mlir --stencil-raise-weighted-sums --split-input-file | diff %t.once.mlir -
// RUN: stencil-opt %s --stencil-raise-weighted-sums=math=strict --split-input-file | FileCheck %s --check-prefixes=CHECK,STRICT

!t1 = !stencil.temp<?xf64>

// Additions may be commuted; what is subtracted has a negative weight; division
// by a power of two is a product.
// CHECK-LABEL: @chain
func.func @chain(%a: !t1, %c: f64) -> (!t1, !t1) {
  %r:2 = stencil.apply(%x = %a : !t1, %k = %c : f64) -> (!t1, !t1) {
    // CHECK: %[[S:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [2], [0], [1]] weights dense<[3.000000e+00, 1.000000e+00, -2.500000e-01, -1.000000e+00]>
    // CHECK: %[[N:.*]] = arith.negf %[[K:.*]] : f64
    // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00
    // CHECK: %[[T:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1], [0]] weights (%[[K]], %[[N]], %[[ONE]])
    // CHECK: stencil.return %[[S]], %[[T]]
    %l = stencil.access %x[-1] : !t1
    %m = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %f = stencil.access %x[2] : !t1
    %three = arith.constant 3.0 : f64
    %four = arith.constant 4.0 : f64
    %l3 = arith.mulf %l, %three : f64
    %m4 = arith.divf %m, %four : f64
    %rm = arith.negf %r : f64
    %s0 = arith.addf %l3, %f : f64
    %s1 = arith.subf %s0, %m4 : f64
    %s2 = arith.addf %rm, %s1 : f64
    %lk = arith.mulf %k, %l : f64
    %rk = arith.mulf %r, %k : f64
    %t0 = arith.subf %lk, %rk : f64
    %t1 = arith.addf %m, %t0 : f64
    stencil.return %s2, %t1 : f64, f64
  }
  return %r#0, %r#1 : !t1, !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// Not the same to the last bit: products of sums, thirds, sums of sums, a value
// minus a sum.
// CHECK-LABEL: @inexact
func.func @inexact(%a: !t1) -> (!t1, !t1, !t1) {
  %r:3 = stencil.apply(%x = %a : !t1) -> (!t1, !t1, !t1) {
    // CHECK: %[[S:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]]
    // CHECK: %[[T:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[0], [2]]
    // CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %[[S]]
    // CHECK: %[[Q:.*]] = arith.divf
    // CHECK: arith.addf %[[P]], %[[Q]]
    // CHECK: arith.addf %[[S]], %[[T]]
    // CHECK: arith.subf %{{.*}}, %[[T]]
    %l = stencil.access %x[-1] : !t1
    %m = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %f = stencil.access %x[2] : !t1
    %three = arith.constant 3.0 : f64
    %s = arith.addf %l, %r : f64
    %t = arith.addf %m, %f : f64
    %p = arith.mulf %three, %s : f64
    %q = arith.divf %m, %three : f64
    %r0 = arith.addf %p, %q : f64
    %r1 = arith.addf %s, %t : f64
    %r2 = arith.subf %l, %t : f64
    stencil.return %r0, %r1, %r2 : f64, f64, f64
  }
  return %r#0, %r#1, %r#2 : !t1, !t1, !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// A chain ends at another input, a point that it has, zero times something, and
// where a partial sum is used.
// CHECK-LABEL: @ends
func.func @ends(%a: !t1, %b: !t1) -> (!t1, !t1, !t1, !t1, !t1) {
  %r:5 = stencil.apply(%x = %a : !t1, %y = %b : !t1) -> (!t1, !t1, !t1, !t1, !t1) {
    %l = stencil.access %x[-1] : !t1
    %m = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %v = stencil.access %y[0] : !t1
    %zero = arith.constant 0.0 : f64
    // CHECK: %[[A:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [0]]
    // CHECK: %[[A1:.*]] = arith.addf %[[A]], %[[V:.*]] : f64
    // CHECK: arith.addf %[[A1]], %[[R:.*]] : f64
    %a0 = arith.addf %l, %m : f64
    %a1 = arith.addf %a0, %v : f64
    %a2 = arith.addf %a1, %r : f64
    // CHECK: %[[B:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]]
    // CHECK: arith.addf %[[B]], %{{.*}} : f64
    %b0 = arith.addf %l, %r : f64
    %b1 = arith.addf %b0, %l : f64
    // CHECK: %[[Z:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
    // CHECK: %[[C:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[0], [1]]
    // CHECK: arith.addf %[[C]], %[[Z]] : f64
    %z = arith.mulf %zero, %l : f64
    %c0 = arith.addf %m, %r : f64
    %c1 = arith.addf %c0, %z : f64
    // CHECK: %[[D:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]]
    // CHECK: arith.addf %[[D]], %{{.*}} : f64
    %d0 = arith.subf %l, %r : f64
    %d1 = arith.addf %d0, %m : f64
    stencil.return %a2, %b1, %c1, %d0, %d1 : f64, f64, f64, f64, f64
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : !t1, !t1, !t1, !t1, !t1
}

// -----

!t1 = !stencil.temp<?xf32>

// fma rounds once: a chain that may be contracted.
// CHECK-LABEL: @fma
func.func @fma(%a: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1) -> (!t1) {
    // CONTRACT: stencil.weighted_sum %{{.*}} offsets {{\[}}[1], [-1], [0]] weights dense<[1.000000e+00, 3.000000e+00, -5.000000e+00]>
    // STRICT-NOT: stencil.weighted_sum
    // STRICT: stencil.return
    %l = stencil.access %x[-1] : !t1
    %m = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %three = arith.constant 3.0 : f32
    %five = arith.constant 5.0 : f32
    %neg = arith.negf %m : f32
    %s = math.fma %three, %l, %r : f32
    %t = math.fma %neg, %five, %s : f32
    stencil.return %t : f32
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// Trees that all carry reassoc may be; the flags are those of all ops.
// CHECK-LABEL: @flags
func.func @flags(%a: !t1) -> (!t1, !t1, !t1) {
  %r:3 = stencil.apply(%x = %a : !t1) -> (!t1, !t1, !t1) {
    // CHECK: stencil.weighted_sum %{{.*}} fastmath<reassoc,nsz> offsets {{\[}}[-1], [0], [1]] weights dense<[3.000000e+00, 1.000000e+00, 3.000000e+00]>
    %l = stencil.access %x[-1] : !t1
    %m = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %three = arith.constant 3.0 : f64
    %s = arith.addf %l, %r fastmath<fast> : f64
    %p = arith.mulf %three, %s fastmath<reassoc,nsz,arcp> : f64
    %r0 = arith.addf %m, %p fastmath<reassoc,nsz,nnan> : f64
    // One without: it ends the tree.
    // CHECK: %[[T:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]]
    // CHECK: %[[U:.*]] = arith.mulf %{{.*}}, %[[T]] fastmath<reassoc>
    // CHECK: arith.addf %{{.*}}, %[[U]] fastmath<reassoc>
    %t = arith.addf %l, %r : f64
    %u = arith.mulf %three, %t fastmath<reassoc> : f64
    %r1 = arith.addf %m, %u fastmath<reassoc> : f64
    // In a chain, too.
    // CHECK: stencil.weighted_sum %{{.*}} fastmath<nnan> offsets {{\[}}[-1], [1], [0]]
    %c0 = arith.subf %l, %r fastmath<nnan,ninf> : f64
    %c1 = arith.mulf %three, %m fastmath<nnan,nsz> : f64
    %r2 = arith.addf %c0, %c1 fastmath<nnan> : f64
    stencil.return %r0, %r1, %r2 : f64, f64, f64
  }
  return %r#0, %r#1, %r#2 : !t1, !t1, !t1
}

// -----

!t1 = !stencil.temp<?xi32>

// Integers may always be reassociated.
// CHECK-LABEL: @integers
func.func @integers(%a: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1) -> (!t1) {
    // CHECK: stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<[5, 10]>
    %l = stencil.access %x[-1] : !t1
    %r = stencil.access %x[1] : !t1
    %five = arith.constant 5 : i32
    %s = arith.addi %l, %r : i32
    %t = arith.addi %s, %r : i32
    %u = arith.muli %t, %five : i32
    stencil.return %u : i32
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// A weighted sum goes on as a chain.
// CHECK-LABEL: @goes_on
func.func @goes_on(%a: !t1) -> !t1 {
  %r = stencil.apply(%x = %a : !t1) -> (!t1) {
    // CHECK: stencil.weighted_sum %{{.*}} offsets {{\[}}[1], [-1], [0]] weights dense<[2.000000e+00, 2.000000e+00, -1.000000e+00]>
    %s = stencil.weighted_sum %x offsets [[1], [-1]] weights dense<2.0> : tensor<2xf64> : !t1
    %m = stencil.access %x[0] : !t1
    %d = arith.subf %s, %m : f64
    stencil.return %d : f64
  }
  return %r : !t1
}

// -----

!t1 = !stencil.temp<?xf64>

// A product and its sum in one op have one flag for both.
// CHECK-LABEL: @fma_flags
func.func @fma_flags(%a: !t1) -> (!t1, !t1) {
  %r:2 = stencil.apply(%x = %a : !t1) -> (!t1, !t1) {
    // CHECK: %[[S:.*]] = stencil.weighted_sum %{{.*}} fastmath<reassoc> offsets {{\[}}[-1], [0], [1]] weights dense<[3.000000e+00, 1.000000e+00, 3.000000e+00]>
    %l = stencil.access %x[-1] : !t1
    %m = stencil.access %x[0] : !t1
    %r = stencil.access %x[1] : !t1
    %three = arith.constant 3.0 : f64
    %s = arith.addf %l, %r fastmath<reassoc> : f64
    %f = math.fma %three, %s, %m fastmath<reassoc> : f64
    // Without it, the sum is one as it is written.
    // CHECK: %[[T:.*]] = stencil.weighted_sum %{{.*}} fastmath<reassoc> offsets {{\[}}[-1], [1]]
    // CHECK: %[[F:.*]] = math.fma %{{.*}}, %[[T]], %{{.*}} : f64
    %t = arith.addf %l, %r fastmath<reassoc> : f64
    %g = math.fma %three, %t, %m : f64
    // CHECK: stencil.return %[[S]], %[[F]]
    stencil.return %f, %g : f64, f64
  }
  return %r#0, %r#1 : !t1, !t1
}
