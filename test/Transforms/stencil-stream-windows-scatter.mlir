// RUN: stencil-opt %s --stencil-stream-windows=math=reassociate | FileCheck %s

!field = !stencil.field<[-2,66]x[-2,66]x[-2,66]xf64>
!inner = !stencil.field<[0,64]x[0,64]x[0,64]xf64>
!row = !stencil.field<[0,64]xf64>

// A plane contributes to five: equal terms are one result.
// CHECK-LABEL: func @star
func.func @star(%u: !field, %v: !field) {
  // CHECK: %[[W:.*]] = stencil.window shared %{{.*}} depth 3 lead 4 prefetch tma
  // CHECK: %[[T:.*]]:3 = stencil.apply(%[[A:.*]] = %[[W]] : {{.*}} attributes {stencil.stage = #stencil.stage<lead = 2>} {
  // CHECK: %[[C1:.*]] = arith.constant 2.5
  // CHECK: %[[C2:.*]] = arith.constant 1.25
  // CHECK: %[[X:.*]] = stencil.access %[[A]][0, 0, 0]
  // CHECK: %[[S1:.*]] = stencil.weighted_sum %[[A]] offsets {{\[\[}}0, -1, 0], [0, 0, 1]]
  // CHECK: %[[S2:.*]] = stencil.weighted_sum %[[A]] offsets {{\[\[}}0, 2, 0]]
  // CHECK: %[[P1:.*]] = arith.mulf %[[X]], %[[C1]] : f64
  // CHECK: arith.mulf %[[S1]], %[[C1]] : f64
  // CHECK: %[[P2:.*]] = arith.mulf %[[X]], %[[C2]] : f64
  // CHECK: arith.mulf %[[S2]], %[[C2]] : f64
  // CHECK: stencil.return %[[P2]], %[[P1]], %{{.*}} : f64, f64, f64
  // CHECK: %[[S:.*]] = stencil.accumulate %[[T]]#0, %[[T]]#1, %[[T]]#2, %[[T]]#1, %[[T]]#0 at [-2, -1, 0, 1, 2]
  // CHECK: stencil.store %[[S]] to %arg1
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter, prefetch = tma, stages = 3>} {
    %c0 = arith.constant 0.5 : f64
    %c1 = arith.constant 0.25 : f64
    %c2 = arith.constant 0.125 : f64
    %a = stencil.access %x[0, 0, 0] : !field
    %s1 = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 1], [1, 0, 0]] weights dense<1.0> : tensor<4xf64> : !field
    %s2 = stencil.weighted_sum %x offsets [[-2, 0, 0], [0, 2, 0], [2, 0, 0]] weights dense<[1.0, 2.0, 1.0]> : tensor<3xf64> : !field
    %p0 = arith.mulf %a, %c0 : f64
    %p1 = arith.mulf %s1, %c1 : f64
    %p2 = arith.mulf %s2, %c2 : f64
    %t = arith.addf %p0, %p1 : f64
    %r = arith.addf %t, %p2 : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Sums over sums: the combination of in-plane sums is computed once per plane.
// CHECK-LABEL: func @cube
func.func @cube(%u: !field, %v: !field) {
  // CHECK: stencil.window shared %{{.*}} depth 2 lead 1 :
  // CHECK: %[[T:.*]]:2 = stencil.apply(%[[A:[a-z0-9]*]] =
  // CHECK-NOT: stencil.apply
  // CHECK: %[[R:.*]] = stencil.weighted_sum %[[A]] offsets {{\[\[}}0, 0, -1], [0, 0, 0], [0, 0, 1]]
  // CHECK: %[[P:.*]] = stencil.weighted_sum %[[R]] offsets {{\[\[}}0, -1, 0], [0, 1, 0]]
  // CHECK: %[[Q:.*]] = stencil.weighted_sum %[[P]] offsets {{\[\[}}0, 0, 0]] weights dense<2.0
  // CHECK: stencil.return %[[P]], %[[Q]]
  // CHECK: stencil.accumulate %[[T]]#0, %[[T]]#1, %[[T]]#0 at [-1, 0, 1]
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter>} {
    %r = stencil.weighted_sum %x offsets [[0, 0, -1], [0, 0, 0], [0, 0, 1]] weights dense<1.0> : tensor<3xf64> : !field
    %p = stencil.weighted_sum %r offsets [[0, -1, 0], [0, 1, 0]] weights dense<1.0> : tensor<2xf64> : f64
    %s = stencil.weighted_sum %p offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<[1.0, 2.0, 1.0]> : tensor<3xf64> : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// What is not linear in the sum comes behind it; the plane that this needs is
// kept in registers, other inputs are read as their windows say.
// CHECK-LABEL: func @wave
func.func @wave(%old: !field, %u: !field, %k: !inner, %h: !inner) {
  // CHECK: %[[O:.*]] = stencil.load %arg0
  // CHECK: %[[WO:.*]] = stencil.window shared %[[O]] depth 3 lead 2 prefetch async
  // CHECK: %[[WU:.*]] = stencil.window shared %{{.*}} depth 3 lead 3 prefetch async
  // CHECK: %[[Q:.*]] = stencil.window registers %[[WU]] depth 2 lead 1
  // CHECK: %[[K:.*]] = stencil.load %arg2
  // CHECK: %[[T:.*]]:2 = stencil.apply(%{{[a-z0-9]*}} = %[[WU]] : {{[^,]*}}) -> {{.*}} attributes {stencil.stage = #stencil.stage<lead = 1>}
  // CHECK: %[[S:.*]] = stencil.accumulate %[[T]]#0, %[[T]]#1, %[[T]]#0 at [-1, 0, 1]
  // CHECK: stencil.apply(%[[AO:.*]] = %[[WO]] : {{.*}}, %[[AK:.*]] = %[[K]] : {{.*}}, %[[AS:.*]] = %[[S]] : {{.*}}, %[[AQ:.*]] = %[[Q]] : {{.*}} attributes {stencil.stage = #stencil.stage<lead = 0>}
  // CHECK-DAG: stencil.access %[[AO]][0, 0, 0]
  // CHECK-DAG: stencil.access %[[AK]][0, 0, 0]
  // CHECK-DAG: stencil.access %[[AS]][0, 0, 0]
  // CHECK-DAG: stencil.access %[[AQ]][0, 0, 0]
  stencil.apply(%p = %old : !field, %x = %u : !field, %y = %k : !inner) outs (%old : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [shared, shared, cache], accumulate = scatter, prefetch = async>} {
    %two = arith.constant 2.0 : f64
    %before = stencil.access %p[0, 0, 0] : !field
    %now = stencil.access %x[0, 0, 0] : !field
    %f = stencil.access %y[0, 0, 0] : !inner
    %lap = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 0], [0, 1, 0], [1, 0, 0]] weights dense<[1.0, 1.0, -4.0, 1.0, 1.0]> : tensor<5xf64> : !field
    %g = arith.mulf %f, %lap : f64
    %h2 = arith.mulf %now, %two : f64
    %d = arith.subf %h2, %before : f64
    %r = arith.addf %d, %g : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// An input that has no halo is read where it is: not by a stage that is ahead.
// CHECK-LABEL: func @source
func.func @source(%u: !field, %f: !inner, %v: !field) {
  // CHECK: %[[F:.*]] = stencil.load %arg1
  // CHECK: stencil.apply(%{{[^,]*}}) -> {{.*}} attributes {stencil.stage = #stencil.stage<lead = 1>}
  // CHECK: stencil.accumulate %{{.*}}, %{{.*}} at [-1, 1]
  // CHECK: stencil.apply({{.*}} = %[[F]] : {{.*}} attributes {stencil.stage = #stencil.stage<lead = 0>}
  stencil.apply(%x = %u : !field, %y = %f : !inner) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [shared, cache], accumulate = scatter>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !field
    %g = stencil.access %y[0, 0, 0] : !inner
    %r = arith.addf %s, %g : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Coefficients that are the same on all planes, differences, quotients, fma.
// CHECK-LABEL: func @coefficients
func.func @coefficients(%u: !field, %c: !row, %a: f64, %v: !field) {
  // CHECK: %[[T:.*]]:3 = stencil.apply(%[[X:[a-z0-9]*]] = %{{[^,]*}}, %[[C:[a-z0-9]*]] = %{{[^,]*}}, %[[A:[a-z0-9]*]] = %arg2 : f64)
  // CHECK: %[[K:.*]] = stencil.access %[[C]][_, 0, _]
  // CHECK: %[[XX:.*]] = stencil.access %[[X]][0, 0, 0]
  // CHECK: %[[M:.*]] = arith.mulf %[[K]], %[[XX]]
  // CHECK: %[[D:.*]] = arith.divf %[[M]], %[[A]]
  // CHECK: %[[F:.*]] = arith.mulf %[[XX]], %[[A]]
  // CHECK: %[[N:.*]] = arith.negf %[[D]]
  // CHECK: %[[P:.*]] = arith.addf %[[N]], %[[A]]
  // CHECK: stencil.return
  // CHECK: stencil.accumulate %{{.*}}, %{{.*}}, %{{.*}} at [-1, 0, 1]
  stencil.apply(%x = %u : !field, %w = %c : !row, %s = %a : f64) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, accumulate = scatter>} {
    %k = stencil.access %w[_, 0, _] : !row
    %l = stencil.access %x[-1, 0, 0] : !field
    %m = stencil.access %x[0, 0, 0] : !field
    %n = stencil.access %x[1, 0, 0] : !field
    %lm = arith.mulf %k, %m : f64
    %q = arith.divf %lm, %s : f64
    %f = math.fma %l, %s, %n : f64
    %d = arith.subf %f, %q : f64
    %r = arith.addf %d, %s : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// A function of one plane is a value of that plane, also where it is not linear.
// CHECK-LABEL: func @one_plane
func.func @one_plane(%u: !field, %v: !field) {
  // CHECK: %[[T:.*]] = stencil.apply
  // CHECK: %[[X:.*]] = stencil.access %{{.*}}[0, 0, 0]
  // CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK: stencil.return %[[Y]] : f64
  // CHECK: stencil.accumulate %[[T]], %[[T]] at [-1, 1]
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter>} {
    %a = stencil.access %x[0, 0, 0] : !field
    %b = arith.mulf %a, %a : f64
    %r = stencil.weighted_sum %b offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// A sum that is complete early is stored early: no window keeps it.
// CHECK-LABEL: func @early
func.func @early(%u: !field, %v: !field, %w: !field, %z: !field) {
  // CHECK: %[[T:.*]]:3 = stencil.apply({{.*}} attributes {stencil.stage = #stencil.stage<lead = 2>}
  // CHECK: stencil.return %[[X:.*]], %[[Y:.*]], %[[Z:.*]] :
  // CHECK: %[[A:.*]] = stencil.accumulate %[[T]]#0, %[[T]]#0 at [-2, 2]
  // CHECK: %[[B:.*]] = stencil.accumulate %[[T]]#0, %[[T]]#1 at [-1, 0]
  // CHECK-NOT: stencil.window
  // CHECK: stencil.store %[[A]] to %arg1
  // CHECK: stencil.store %[[B]] to %arg2
  // CHECK: stencil.store %[[T]]#2 to %arg3
  stencil.apply(%x = %u : !field) outs (%v : !field, %w : !field, %z : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter>} {
    %a = stencil.weighted_sum %x offsets [[-2, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, 0, 1]] weights dense<1.0> : tensor<2xf64> : !field
    %c = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 1, 0]] weights dense<1.0> : tensor<2xf64> : !field
    stencil.return %a, %b, %c : f64, f64, f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Integers have no order; parts of a sum may overflow where it does not.
// CHECK-LABEL: func @integers
func.func @integers(%u: !stencil.field<[-1,65]xi32>, %v: !stencil.field<[-1,65]xi32>) {
  // CHECK: stencil.apply
  // CHECK: arith.subi %{{.*}}, %{{.*}} : i32
  // CHECK-NOT: overflow
  // CHECK: stencil.accumulate %{{.*}}, %{{.*}} at [-1, 1]
  stencil.apply(%x = %u : !stencil.field<[-1,65]xi32>) outs (%v : !stencil.field<[-1,65]xi32>) attributes {stencil.schedule = #stencil.schedule<stream = 0, accumulate = scatter>} {
    %a = stencil.access %x[-1] : !stencil.field<[-1,65]xi32>
    %b = stencil.access %x[1] : !stencil.field<[-1,65]xi32>
    %r = arith.subi %a, %b overflow<nsw> : i32
    stencil.return %r : i32
  } to <[0], [64]>
  return
}

// Planes behind the newest one get what it adds; itself all that is there, its
// column from a queue.
// CHECK-LABEL: func @semi
func.func @semi(%u: !field, %v: !field) {
  // CHECK: %[[W:.*]] = stencil.window shared %{{.*}} depth 2 lead 1 :
  // CHECK: %[[Q:.*]] = stencil.window registers %[[W]] depth 2 lead 1
  // CHECK: %[[T:.*]]:2 = stencil.apply(%[[A:.*]] = %[[W]] : {{.*}}, %[[B:.*]] = %[[Q]] : {{.*}} attributes {stencil.stage = #stencil.stage<lead = 1>}
  // CHECK-DAG: stencil.access %[[B]][0, 0, 0]
  // CHECK-DAG: stencil.access %[[A]][0, 0, 1]
  // CHECK-DAG: stencil.access %[[B]][-1, 0, 0]
  // CHECK: stencil.return %{{.*}}, %{{.*}} : f64, f64
  // CHECK: stencil.accumulate %[[T]]#0, %[[T]]#1 at [0, 1]
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = semi>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<[3.0, 2.0, 5.0, 1.0]> : tensor<4xf64> : !field
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Several inputs of different reach: a stage for each, and what they add up to.
// CHECK-LABEL: func @reaches
func.func @reaches(%u: !field, %w: !field, %v: !field) {
  // CHECK: stencil.apply({{.*}} attributes {stencil.stage = #stencil.stage<lead = 2>}
  // CHECK: %[[A:.*]] = stencil.accumulate %{{.*}}, %{{.*}} at [-1, 2]
  // CHECK: stencil.apply({{.*}} attributes {stencil.stage = #stencil.stage<lead = 1>}
  // CHECK: %[[B:.*]] = stencil.accumulate %{{.*}}, %{{.*}} at [-1, 1]
  // CHECK: stencil.apply(%{{.*}} = %[[A]] : {{.*}}, %{{.*}} = %[[B]] : {{.*}} attributes {stencil.stage = #stencil.stage<lead = 0>}
  stencil.apply(%x = %u : !field, %y = %w : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter>} {
    %a = stencil.weighted_sum %x offsets [[-1, 0, 0], [2, 0, 0]] weights dense<2.0> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %y offsets [[-1, 0, 0], [1, 0, 0]] weights dense<2.0> : tensor<2xf64> : !field
    %r = arith.addf %a, %b : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// What a branch reads at neighbours is read in memory: no window keeps planes for
// the points that take it. The point itself comes from the queue.
// CHECK-LABEL: func @branch
func.func @branch(%u: !field, %v: !field) {
  // CHECK: %[[L:.*]] = stencil.load %arg0
  // CHECK: %[[W:.*]] = stencil.window shared %[[L]] depth 3 lead 4 prefetch tma
  // CHECK: %[[Q:.*]] = stencil.window registers %[[W]] depth 3 lead 2
  // CHECK: %[[S:.*]] = stencil.accumulate
  // CHECK: stencil.apply(%[[A:.*]] = %[[S]] : {{.*}}, %[[M:.*]] = %[[L]] : {{.*}}, %[[H:.*]] = %[[Q]] : {{.*}} attributes {stencil.stage = #stencil.stage<lead = 0>} {
  // CHECK: scf.if
  // CHECK: stencil.access %[[M]][1, 0, 0]
  // CHECK: stencil.access %[[M]][0, -1, 0]
  // CHECK: stencil.access %[[H]][0, 0, 0]
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter, prefetch = tma, stages = 3>} {
    %s = stencil.weighted_sum %x offsets [[-2, 0, 0], [-1, 0, 0], [0, 0, 1], [1, 0, 0], [2, 0, 0]] weights dense<1.0> : tensor<5xf64> : !field
    %i = stencil.index 2 <[0, 0, 0]>
    %c8 = arith.constant 8 : index
    %isEdge = arith.cmpi slt, %i, %c8 : index
    %r = scf.if %isEdge -> (f64) {
      %a = stencil.access %x[1, 0, 0] : !field
      %b = stencil.access %x[0, -1, 0] : !field
      %c = stencil.access %x[0, 0, 0] : !field
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      %sum = arith.addf %s, %abc : f64
      scf.yield %sum : f64
    } else {
      scf.yield %s : f64
    }
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}
