// Inputs in groups: a stage for each, which hands on what later ones need of it.
// RUN: stencil-opt %s --stencil-stream-windows | FileCheck %s
// RUN: stencil-opt %s --stencil-stream-windows --remarks-filter=Schedule 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

!field = !stencil.field<[-2,66]x[-2,66]xf64>

// The sum of the first group is handed on, not its terms; %z is read where it
// is needed. What is computed of scalars alone is computed again.
// CHECK-LABEL: func @two
// CHECK: stencil.pipeline
// CHECK: %[[X:.*]] = stencil.load %arg0
// CHECK: %[[XW:.*]] = stencil.window shared %[[X]] group 0 prefetch async :
// CHECK: %[[Y:.*]] = stencil.load %arg1
// CHECK: %[[YW:.*]] = stencil.window shared %[[Y]] group 1 prefetch async :
// CHECK: %[[Z:.*]] = stencil.load %arg2
// CHECK: %[[P:.*]] = stencil.apply(%[[A:.*]] = %[[XW]] : {{.*}}, %{{.*}} = %arg4 : f64)
// CHECK-DAG: %[[L:.*]] = stencil.access %[[A]][0, -1]
// CHECK-DAG: %[[R:.*]] = stencil.access %[[A]][0, 1]
// CHECK: %[[S:.*]] = arith.addf %[[L]], %[[R]]
// CHECK: %[[K:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: %[[T:.*]] = arith.mulf %[[S]], %[[K]]
// CHECK: stencil.return %[[T]] : f64
// CHECK: %[[O:.*]] = stencil.apply(%[[B:.*]] = %[[YW]] : {{.*}}, %[[C:.*]] = %[[Z]] : {{.*}}, %{{.*}} = %arg4 : f64, %[[H:.*]] = %[[P]] : {{.*}})
// CHECK: %[[G:.*]] = stencil.access %[[H]][0, 0]
// CHECK-DAG: stencil.access %[[B]][1, 0]
// CHECK-DAG: stencil.access %[[C]][0, 0]
// CHECK: stencil.store %[[O]] to %arg3
// REMARK: 2 groups of inputs, 1 values of a point are handed on between them
func.func @two(%u: !field, %v: !field, %w: !field, %o: !field, %f: f64) {
  stencil.apply(%x = %u : !field, %y = %v : !field, %z = %w : !field, %k = %f : f64) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<window = [shared, shared, cache], groups = [1], prefetch = async>} {
    %a = stencil.access %x[0, -1] : !field
    %b = stencil.access %x[0, 1] : !field
    %e = stencil.access %z[0, 0] : !field
    %c = arith.addf %a, %b : f64
    %kk = arith.mulf %k, %k : f64
    %d = arith.mulf %c, %kk : f64
    %p = stencil.access %y[1, 0] : !field
    %q = arith.mulf %p, %kk : f64
    %r = arith.addf %d, %q : f64
    %s = arith.addf %r, %e : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// What a branch reads is read before it, while it is there; the branch is
// where all that it needs is. The last number of the list is for all that follow.
// CHECK-LABEL: func @branch
// CHECK: stencil.window shared %{{.*}} group 0 :
// CHECK: stencil.window shared %{{.*}} group 1 :
// CHECK: stencil.window shared %{{.*}} group 1 :
// CHECK: stencil.window shared %{{.*}} group 2 :
// CHECK: stencil.apply
// CHECK: stencil.access %{{.*}}[0, 2]
// CHECK-NOT: scf.if
// CHECK: stencil.return
// CHECK: stencil.apply
// CHECK: scf.if
// CHECK: stencil.return
// CHECK: stencil.apply
// CHECK: stencil.return
func.func @branch(%u: !field, %v: !field, %w: !field, %t: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field, %z = %w : !field, %g = %t : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<window = shared, groups = [1, 2]>} {
    %p = stencil.access %y[1, 0] : !field
    %q = stencil.access %z[0, 1] : !field
    %c = arith.cmpf olt, %p, %q : f64
    %r = scf.if %c -> (f64) {
      %a = stencil.access %x[0, 2] : !field
      scf.yield %a : f64
    } else {
      scf.yield %q : f64
    }
    %h = stencil.access %g[0, 0] : !field
    %s = arith.addf %r, %h : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// A sum over values at neighbouring points reads two groups: it is split into
// its reads.
// CHECK-LABEL: func @sum
// CHECK: stencil.apply
// CHECK-NOT: weighted_sum
// CHECK: stencil.access %{{.*}}[0, -1]
// CHECK: stencil.return
// CHECK: stencil.apply
// CHECK: stencil.access %{{.*}}[0, 1]
// CHECK: stencil.return
func.func @sum(%u: !field, %v: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<window = shared, groups = [1]>} {
    %a = stencil.access %x[0, 0] : !field
    %b = stencil.access %y[0, 0] : !field
    %m = arith.mulf %a, %b : f64
    %s = stencil.weighted_sum %m offsets [[0, -1], [0, 1]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// Nothing is read of what is to be in windows: one stage, as without groups.
// CHECK-LABEL: func @unread
// CHECK-NOT: stencil.window
// CHECK: stencil.apply
// CHECK: stencil.store
func.func @unread(%u: !field, %v: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<window = [shared, cache], groups = [1]>} {
    %b = stencil.access %y[0, 0] : !field
    stencil.return %b : f64
  } to <[0, 0], [64, 64]>
  return
}
