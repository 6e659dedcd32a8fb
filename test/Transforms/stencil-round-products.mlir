// Products that sums do not take in.
// RUN: stencil-opt %s --split-input-file --stencil-round-products | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-round-products=math=strict | FileCheck %s --check-prefix=FLAGGED
// RUN: stencil-opt %s --split-input-file --stencil-round-products=math=reassociate | FileCheck %s --check-prefix=FREE
// FREE-NOT: stencil.rounded

!temp = !stencil.temp<?xf64>

// CHECK-LABEL: @uses
// FLAGGED-LABEL: @uses
// FLAGGED-NOT: stencil.rounded
func.func @uses(%t: !temp) -> (!temp, !temp, !temp, !temp, !temp) {
  %r:5 = stencil.apply(%x = %t : !temp) -> (!temp, !temp, !temp, !temp, !temp) {
    %a = stencil.access %x[-1] : !temp
    %b = stencil.access %x[1] : !temp
    // One sum, and several.
    // CHECK: %[[P:.*]] = arith.mulf %{{[^{]*}} : f64
    %p = arith.mulf %a, %b : f64
    %s0 = arith.addf %p, %a : f64
    // CHECK: %[[Q:.*]] = arith.mulf %{{[^{]*}} : f64
    %q = arith.mulf %a, %a : f64
    %s1 = arith.addf %s0, %q : f64
    %n = arith.negf %q : f64
    %s2 = arith.addf %s1, %n : f64
    // Returned, too; and in a product.
    // CHECK: arith.mulf {{.*}} {stencil.rounded} : f64
    %u = arith.mulf %b, %b : f64
    %s3 = arith.subf %s2, %u : f64
    // CHECK: arith.mulf {{.*}} {stencil.rounded} : f64
    %v = arith.mulf %b, %s3 : f64
    %s4 = arith.addf %v, %a : f64
    // CHECK: arith.mulf %{{[^{]*}} : f64
    %w = arith.mulf %v, %a : f64
    // Five sums.
    // CHECK: arith.mulf {{.*}} {stencil.rounded} : f64
    %m = arith.mulf %s0, %b : f64
    %m0 = arith.addf %m, %a : f64
    %m1 = arith.addf %m, %m0 : f64
    %m2 = arith.subf %m, %m1 : f64
    %m3 = arith.addf %m2, %m : f64
    %m4 = arith.addf %m3, %m : f64
    // In no sum: as it is.
    // CHECK: arith.mulf %{{[^{]*}} : f64
    %k = arith.mulf %m4, %a : f64
    stencil.return %s4, %u, %w, %k, %m4 : f64, f64, f64, f64, f64
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : !temp, !temp, !temp, !temp, !temp
}

// -----

!temp = !stencil.temp<?xf64>

// With math=strict only what has the flag.
// FLAGGED-LABEL: @flags
func.func @flags(%t: !temp) -> (!temp, !temp) {
  %r:2 = stencil.apply(%x = %t : !temp) -> (!temp, !temp) {
    %a = stencil.access %x[0] : !temp
    // FLAGGED: arith.mulf {{.*}} fastmath<contract> {stencil.rounded} : f64
    %p = arith.mulf %a, %a fastmath<contract> : f64
    %s = arith.addf %p, %a fastmath<contract> : f64
    stencil.return %s, %p : f64, f64
  }
  return %r#0, %r#1 : !temp, !temp
}

// -----

!temp = !stencil.temp<?xf64>

// What is the same at all points is computed before there are any.
// CHECK-LABEL: @uniform
func.func @uniform(%t: !temp, %k: f64) -> !temp {
  %r = stencil.apply(%x = %t : !temp, %c = %k : f64) -> (!temp) {
    %a = stencil.access %x[0] : !temp
    // CHECK: arith.mulf {{.*}} {stencil.rounded} : f64
    %p = arith.mulf %c, %c : f64
    %s = arith.addf %p, %a : f64
    stencil.return %s : f64
  }
  return %r : !temp
}

// -----

!temp = !stencil.temp<?xf64>

// Of two products one is a value before the other is added to it.
// CHECK-LABEL: @pairs
func.func @pairs(%t: !temp) -> (!temp, !temp, !temp) {
  %r:3 = stencil.apply(%x = %t : !temp) -> (!temp, !temp, !temp) {
    %a = stencil.access %x[-1] : !temp
    %b = stencil.access %x[1] : !temp
    // The second.
    // CHECK: arith.mulf %[[A:.*]], %[[B:.*]] : f64
    // CHECK: arith.mulf %[[B]], %[[B]] {stencil.rounded} : f64
    %p = arith.mulf %a, %b : f64
    %q = arith.mulf %b, %b : f64
    %s = arith.addf %p, %q : f64
    // The one that another sum has as well.
    // CHECK: arith.mulf %[[A]], %[[A]] {stencil.rounded} : f64
    // CHECK: arith.mulf %{{.*}}, %[[A]] : f64
    %u = arith.mulf %a, %a : f64
    %v = arith.mulf %s, %a : f64
    %w = arith.subf %u, %v : f64
    %z = arith.addf %u, %b : f64
    stencil.return %s, %w, %z : f64, f64, f64
  }
  return %r#0, %r#1, %r#2 : !temp, !temp, !temp
}
