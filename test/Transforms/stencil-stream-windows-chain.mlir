// What a body computes and reads at neighbouring points becomes a stage of its own.
// RUN: stencil-opt %s --stencil-stream-windows=math=reassociate | FileCheck %s

!field = !stencil.field<[-2,66]x[-2,66]x[-2,66]xf64>

// Two products of the value, which are needed at other points each; who reads
// what other threads have written is one iteration behind.
// CHECK-LABEL: func @shared
// CHECK: stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0>}
// CHECK: %[[X:.*]] = stencil.load
// CHECK: %[[U:.*]] = stencil.window shared %[[X]] depth 4 lead 2 :
// CHECK: %[[L:.*]] = stencil.apply(%{{.*}} = %[[U]] : {{.*}}) -> ({{.*}}) attributes {stencil.stage = #stencil.stage<lead = 2>}
// CHECK-NEXT: stencil.weighted_sum
// CHECK-NEXT: stencil.return
// CHECK: %[[LW:.*]] = stencil.window shared %[[L]] depth 2 lead 2 :
// CHECK: %[[E:.*]] = stencil.apply(%[[LA:.*]] = %[[LW]] : {{.*}}) -> ({{.*}}) attributes {stencil.stage = #stencil.stage<lead = 1>}
// CHECK: stencil.access %[[LA]][0, 0, 0]
// CHECK: stencil.weighted_sum %[[LA]] offsets {{\[\[}}0, 0, 1]]
// CHECK: stencil.return
// CHECK: %[[EW:.*]] = stencil.window shared %[[E]] depth 2 lead 1 :
// CHECK: %[[R:.*]] = stencil.apply({{.*}}, %[[EA:.*]] = %[[EW]] : {{.*}}) -> ({{.*}}) attributes {stencil.stage = #stencil.stage<lead = 0>}
// CHECK: stencil.weighted_sum %[[EA]] offsets {{\[\[}}0, 0, -1]]
// CHECK: stencil.store %[[R]]
func.func @shared(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared>} {
    %c = stencil.access %x[0, 0, 0] : !field
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %e = stencil.weighted_sum %l offsets [[0, 0, 1]] weights dense<1.0> : tensor<1xf64> : f64
    %d = arith.subf %e, %l : f64
    %f = arith.mulf %d, %d : f64
    %w = stencil.weighted_sum %f offsets [[0, 0, -1]] weights dense<1.0> : tensor<1xf64> : f64
    %g = arith.subf %f, %w : f64
    %s = arith.addf %g, %c : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Planes of the walk: the value is computed as far ahead as it is read.
// CHECK-LABEL: func @planes
// CHECK: stencil.stage<lead = 2>
// CHECK: stencil.window shared %{{.*}} depth 4 lead 2 :
// CHECK: stencil.stage<lead = 0>
func.func @planes(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, prefetch = tma, chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<0.5> : tensor<3xf64> : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// The column of a thread, in its registers: no iteration in between.
// CHECK-LABEL: func @registers
// CHECK: stencil.stage<lead = 1>
// CHECK: stencil.window registers %{{.*}} depth 3 lead 1 :
// CHECK: stencil.stage<lead = 0>
func.func @registers(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = registers>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0, 0], [1, 0, 0]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Without a walk, a tile of each.
// CHECK-LABEL: func @tile
// CHECK: stencil.pipeline attributes
// CHECK: %[[L:.*]] = stencil.apply
// CHECK: stencil.window shared %[[L]] : !stencil
// CHECK: stencil.apply
func.func @tile(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<window = shared, chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0, 0], [1, 0, 0]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Producers come first, however many there are.
// CHECK-LABEL: func @tiles
// CHECK: %[[X:.*]] = stencil.window shared
// CHECK: %[[L:.*]] = stencil.apply(%{{.*}} = %[[X]] :
// CHECK: %[[LW:.*]] = stencil.window shared %[[L]] :
// CHECK: %[[K:.*]] = stencil.apply(%{{.*}} = %[[LW]] :
// CHECK: %[[KW:.*]] = stencil.window shared %[[K]] :
// CHECK: %[[S:.*]] = stencil.apply(%{{.*}} = %[[KW]] :
// CHECK: stencil.store %[[S]]
func.func @tiles(%u: !stencil.field<[-3,67]x[-3,67]xf64>, %v: !stencil.field<[-3,67]x[-3,67]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-3,67]x[-3,67]xf64>) outs (%v : !stencil.field<[-3,67]x[-3,67]xf64>) attributes {stencil.schedule = #stencil.schedule<window = shared, chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1], [-1, 0], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !stencil.field<[-3,67]x[-3,67]xf64>
    %k = stencil.weighted_sum %l offsets [[-1, 0], [0, 1], [1, 0]] weights dense<0.5> : tensor<3xf64> : f64
    %s = stencil.weighted_sum %k offsets [[0, -1], [1, 0]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// Nothing to keep: one stage.
// CHECK-LABEL: func @single
// CHECK-COUNT-1: stencil.apply
// CHECK-NOT: stencil.apply
func.func @single(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 1, 0]] weights dense<0.25> : tensor<2xf64> : !field
    stencil.return %l : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// The planes of what is computed are added as they come: the last stage has one for the terms, which is a plane ahead.
// CHECK-LABEL: func @scattered
// CHECK: %[[L:.*]] = stencil.apply({{.*}}) attributes {stencil.stage = #stencil.stage<lead = 2>}
// CHECK: %[[LW:.*]] = stencil.window shared %[[L]] depth 2 lead 2 :
// CHECK: %[[T:.*]]:{{[0-9]}} = stencil.apply(%{{.*}} = %[[LW]] : {{.*}}) attributes {stencil.stage = #stencil.stage<lead = 1>}
// CHECK: %[[S:.*]] = stencil.accumulate %[[T]]#{{[0-9]}}, %[[T]]#{{[0-9]}}, %[[T]]#{{[0-9]}} at [-1, 0, 1]
// CHECK: stencil.store %[[S]]
func.func @scattered(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter, chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<[0.5, 0.25, 0.125]> : tensor<3xf64> : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Each stage reads its inputs group by group; what both read is in no group.
// CHECK-LABEL: func @groups
// CHECK: %[[U:.*]] = stencil.load %[[FU:.*]] :
// CHECK: %[[UW:.*]] = stencil.window shared %[[U]] group 0 :
// CHECK: %[[A:.*]] = stencil.load
// CHECK: %[[AW:.*]] = stencil.window shared %[[A]] group 1 :
// CHECK: %[[B:.*]] = stencil.load
// CHECK: %[[BW:.*]] = stencil.window shared %[[B]] :
// CHECK: %[[C:.*]] = stencil.load
// CHECK: %[[CW:.*]] = stencil.window shared %[[C]] group 2 :
// CHECK: %[[L0:.*]] = stencil.apply({{.*}} = %[[UW]] : {{.*}}) ->
// CHECK: %[[L:.*]] = stencil.apply({{.*}} = %[[AW]] : {{.*}} = %[[BW]] : {{.*}} = %[[L0]] : {{.*}}) ->
// CHECK: %[[LW:.*]] = stencil.window shared %[[L]] :
// CHECK: %[[R:.*]] = stencil.apply({{.*}} = %[[BW]] : {{.*}} = %[[CW]] : {{.*}} = %[[LW]] :
// CHECK: stencil.store %[[R]]
func.func @groups(%u: !field, %a: !field, %b: !field, %c: !field, %v: !field) {
  stencil.apply(%x = %u : !field, %y = %a : !field, %z = %b : !field, %w = %c : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<window = shared, groups = [1], chain = shared>} {
    %0 = stencil.access %x[0, 0, 1] : !field
    %1 = stencil.access %y[0, 1, 0] : !field
    %2 = stencil.access %z[1, 0, 0] : !field
    %3 = arith.mulf %0, %1 : f64
    %l = arith.addf %3, %2 : f64
    %s = stencil.weighted_sum %l offsets [[0, 0, 1], [0, 0, -1]] weights dense<[0.5, 0.25]> : tensor<2xf64> : f64
    %4 = stencil.access %z[0, 0, -1] : !field
    %5 = stencil.access %w[0, 0, -1] : !field
    %6 = arith.addf %s, %4 : f64
    %7 = arith.mulf %6, %5 : f64
    stencil.return %7 : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}
