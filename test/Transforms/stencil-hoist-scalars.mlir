// RUN: stencil-opt %s --stencil-hoist-scalars --split-input-file | FileCheck %s

!field = !stencil.field<[-1,9]xf64>

// CHECK-LABEL: @scalars
// CHECK-SAME: %[[U:.*]]: !stencil.field{{.*}}, %[[V:.*]]: !stencil.field{{.*}}, %[[K:.*]]: f64, %[[N:.*]]: i32
func.func @scalars(%u: !field, %v: !field, %k: f64, %n: i32) {
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0
  // CHECK-DAG: %[[S:.*]] = arith.mulf %[[K]], %[[K]] : f64
  // CHECK: %[[Q:.*]] = arith.divf %[[S]], %[[TWO]] : f64
  // CHECK: stencil.apply(%[[X:.*]] = %[[U]] : {{.*}}, %[[A:.*]] = %[[K]] : f64, %[[I:.*]] = %[[N]] : i32, %[[B:.*]] = %[[Q]] : f64)
  stencil.apply(%x = %u : !field, %a = %k : f64, %i = %n : i32) outs (%v : !field) {
    // CHECK-NOT: arith.divf
    %two = arith.constant 2.0 : f64
    %s = arith.mulf %a, %a {stencil.rounded} : f64
    %q = arith.divf %s, %two : f64
    // Of integers and functions, the host may have other ideas.
    // CHECK: arith.addi %[[I]], %[[I]]
    // CHECK: math.exp %[[A]]
    %j = arith.addi %i, %i : i32
    %f = arith.sitofp %j : i32 to f64
    %e = math.exp %a : f64
    %c = stencil.access %x[0] : !field
    // CHECK: arith.mulf %[[B]], %{{.*}} : f64
    %p = arith.mulf %q, %c : f64
    %r = arith.addf %p, %e : f64
    %t = arith.addf %r, %f : f64
    stencil.return %t : f64
  } to <[0], [8]>
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>
!temp = !stencil.temp<?xf64>

// Scalars come to the stages of a pipeline from outside of it.
// CHECK-LABEL: @stage
func.func @stage(%u: !field, %v: !field, %k: f64) {
  // CHECK: %[[S:.*]] = arith.negf %arg2 : f64
  // CHECK: stencil.pipeline
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // CHECK: stencil.apply(%{{.*}} = %{{.*}} : {{.*}}, %{{.*}} = %arg2 : f64, %[[B:.*]] = %[[S]] : f64)
    %y = stencil.apply(%a = %x : !temp, %b = %k : f64) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %m = arith.negf %b : f64
      %c = stencil.access %a[0] : !temp
      // CHECK: arith.mulf %[[B]], %{{.*}} : f64
      %r = arith.mulf %m, %c : f64
      stencil.return %r : f64
    }
    stencil.store %y to %v(<[0], [8]>) : !temp to !field
  }
  return
}
