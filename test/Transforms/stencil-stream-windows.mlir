// RUN: stencil-opt %s --stencil-stream-windows | FileCheck %s
// RUN: stencil-opt %s --stencil-stream-windows --stencil-expand-weighted-sums | stencil-opt | FileCheck %s --check-prefix=EXPANDED

!field = !stencil.field<[-2,66]x[-2,66]x[-2,66]xf64>
!inner = !stencil.field<[0,64]x[0,64]x[0,64]xf64>

// The planes that are read, and one more.
// CHECK-LABEL: func @gather
// EXPANDED-LABEL: func @gather
func.func @gather(%u: !field, %v: !field) {
  // CHECK: stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32], points = [1, 2, 2], stream = 0, segments = 4>} {
  // CHECK: %[[X:.*]] = stencil.load %arg0 : !stencil.field<[-2,66]x[-2,66]x[-2,66]xf64> -> !stencil.temp<?x?x?xf64>
  // CHECK: %[[W:.*]] = stencil.window shared %[[X]] depth 5 lead 2 : !stencil.temp<?x?x?xf64>
  // CHECK: %[[R:.*]] = stencil.apply(%[[A:.*]] = %[[W]] : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
  // CHECK: stencil.weighted_sum %[[A]]
  // CHECK: stencil.store %[[R]] to %arg1(<[0, 0, 0], [64, 64, 64]>)
  // CHECK-NOT: stencil.apply
  // EXPANDED: stencil.pipeline
  // EXPANDED: stencil.access %{{.*}}[-1, 0, 0] : !stencil.temp
  // EXPANDED: stencil.access %{{.*}}[2, 0, 0] : !stencil.temp
  // EXPANDED-NOT: stencil.weighted_sum
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32], points = [1, 2, 2], stream = 0, segments = 4, window = shared>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 1], [2, 0, 0]] weights dense<2.0> : tensor<4xf64> : !field
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// A sum over a value reads further than its own offsets.
// CHECK-LABEL: func @over_value
func.func @over_value(%u: !field, %v: !field) {
  // CHECK: stencil.window shared %{{.*}} depth 6 lead 2 :
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared>} {
    %p = stencil.weighted_sum %x offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !field
    %s = stencil.weighted_sum %p offsets [[-1, 0, 1], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// All shared windows are as deep, and as many planes ahead of what is read: one
// barrier serves them.
// CHECK-LABEL: func @async
func.func @async(%u: !field, %k: !inner, %v: !field) {
  // CHECK: %[[X:.*]] = stencil.load %arg0
  // CHECK: stencil.window shared %[[X]] depth 5 lead 3 prefetch async
  // CHECK: %[[K:.*]] = stencil.load %arg1
  // CHECK: stencil.window shared %[[K]] depth 5 lead 2 prefetch async
  stencil.apply(%x = %u : !field, %y = %k : !inner) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, prefetch = async>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !field
    %f = stencil.access %y[0, 0, 0] : !inner
    %r = arith.mulf %f, %s : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// CHECK-LABEL: func @stages
func.func @stages(%u: !field, %k: !inner, %v: !field) {
  // CHECK: stencil.window shared %{{.*}} depth 7 lead 5 prefetch tma
  // CHECK: stencil.window shared %{{.*}} depth 7 lead 4 prefetch tma
  stencil.apply(%x = %u : !field, %y = %k : !inner) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, prefetch = tma, stages = 7>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !field
    %f = stencil.access %y[0, 0, 0] : !inner
    %r = arith.mulf %f, %s : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// A window per input; scalars are no inputs with a window. What is read
// through the cache has none; what is stored to may be read at its point.
// CHECK-LABEL: func @several
func.func @several(%u: !field, %c: f64, %k: !inner, %v: !field) {
  // CHECK: %[[X:.*]] = stencil.load %arg0
  // CHECK: %[[W:.*]] = stencil.window shuffle %[[X]] depth 3 lead 1 :
  // CHECK: %[[K:.*]] = stencil.load %arg2
  // CHECK-NOT: stencil.window
  // CHECK: %[[V:.*]] = stencil.load %arg3
  // CHECK: %[[Q:.*]] = stencil.window registers %[[V]] depth 1 lead 0 :
  // CHECK: %[[R:.*]]:2 = stencil.apply(%{{.*}} = %[[W]] : {{.*}}, %{{.*}} = %arg1 : f64, %{{.*}} = %[[K]] : {{.*}}, %{{.*}} = %[[Q]] :
  // CHECK: stencil.store %[[R]]#0 to %arg3
  // CHECK: stencil.store %[[R]]#1 to %arg2
  stencil.apply(%x = %u : !field, %a = %c : f64, %y = %k : !inner, %w = %v : !field) outs (%v : !field, %k : !inner) attributes {stencil.schedule = #stencil.schedule<stream = 1, window = [shuffle, cache, registers]>, stencil.name = "both"} {
    %s = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 1, 0]] weights dense<1.0> : tensor<2xf64> : !field
    %f = stencil.access %y[0, 0, 0] : !inner
    %g = stencil.access %w[0, 0, 0] : !field
    %p = arith.mulf %f, %s : f64
    %r = arith.mulf %a, %g : f64
    stencil.return %p, %r : f64, f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// One field that is read as two inputs is one window.
// CHECK-LABEL: func @twice
func.func @twice(%u: !field, %v: !field) {
  // CHECK-COUNT-1: stencil.load
  // CHECK: stencil.window shared %{{.*}} depth 4 lead 1
  // CHECK-NOT: stencil.window
  // CHECK: stencil.apply(%{{[^,]*}}) -> (
  stencil.apply(%x = %u : !field, %y = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared>} {
    %a = stencil.access %x[-1, 0, 0] : !field
    %b = stencil.access %y[1, 0, 0] : !field
    %r = arith.mulf %a, %b : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// A walk without windows.
// CHECK-LABEL: func @cache
func.func @cache(%u: !field, %v: !field) {
  // CHECK: stencil.pipeline axis 2
  // CHECK-NOT: stencil.window
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 2>} {
    %a = stencil.access %x[0, 0, -1] : !field
    stencil.return %a : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Windows without a walk.
// CHECK-LABEL: func @tile
func.func @tile(%u: !field, %v: !field) {
  // CHECK: stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32]>} {
  // CHECK: stencil.window shared %{{.*}} prefetch async :
  // CHECK-NOT: stencil.stage
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32], window = shared, prefetch = async>} {
    %a = stencil.access %x[0, 0, -1] : !field
    stencil.return %a : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// The column of a point is read from a queue, the rest of its sum from the
// shared window, which need not have the planes behind: in the order of the sum.
// CHECK-LABEL: func @shift
func.func @shift(%u: !field, %v: !field) {
  // CHECK: %[[W:.*]] = stencil.window shared %{{.*}} depth 4 lead 2
  // CHECK: %[[Q:.*]] = stencil.window registers %[[W]] depth 5 lead 2
  // CHECK: stencil.apply(%[[A:.*]] = %[[W]] : {{.*}}, %[[B:.*]] = %[[Q]] :
  // CHECK: stencil.access %[[B]][-2, 0, 0]
  // CHECK: stencil.access %[[A]][0, -1, 0]
  // CHECK: arith.addf
  // CHECK: stencil.access %[[B]][0, 0, 0]
  // CHECK: arith.addf
  // CHECK: stencil.access %[[B]][2, 0, 0]
  // CHECK: arith.addf
  // CHECK: stencil.access %[[A]][0, 0, 1]
  // CHECK: arith.addf
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = shift>} {
    %s = stencil.weighted_sum %x offsets [[-2, 0, 0], [0, -1, 0], [0, 0, 0], [2, 0, 0], [0, 0, 1]] weights dense<1.0> : tensor<5xf64> : !field
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Of an input without window, too. One that has one plane in its column needs no
// queue.
// CHECK-LABEL: func @shift_cache
func.func @shift_cache(%u: !field, %k: !inner, %v: !field) {
  // CHECK: %[[X:.*]] = stencil.load %arg0
  // CHECK: %[[Q:.*]] = stencil.window registers %[[X]] depth 3 lead 1
  // CHECK: %[[K:.*]] = stencil.load %arg1
  // CHECK-NOT: stencil.window
  // CHECK: stencil.apply(%[[A:.*]] = %[[X]] : {{.*}}, %[[C:.*]] = %[[K]] : {{.*}}, %[[B:.*]] = %[[Q]] :
  // CHECK-DAG: stencil.access %[[B]][-1, 0, 0]
  // CHECK-DAG: stencil.access %[[B]][1, 0, 0]
  // CHECK-DAG: stencil.access %[[A]][0, 0, 1]
  // CHECK-DAG: stencil.access %[[C]][0, 0, 0]
  stencil.apply(%x = %u : !field, %y = %k : !inner) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, accumulate = shift>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [1, 0, 0], [0, 0, 1]] weights dense<1.0> : tensor<3xf64> : !field
    %f = stencil.access %y[0, 0, 0] : !inner
    %r = arith.mulf %f, %s : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// CHECK-LABEL: func @shift_registers
func.func @shift_registers(%u: !field, %v: !field) {
  // CHECK: stencil.window registers %{{.*}} depth 3 lead 1
  // CHECK-NOT: stencil.window
  // CHECK: return
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = registers, accumulate = shift>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !field
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// An input of fewer axes, or one that is read at computed coordinates, is read
// through the cache.
// CHECK-LABEL: func @no_window
func.func @no_window(%u: !field, %row: !stencil.field<[0,64]xf64>, %v: !field) {
  // CHECK: stencil.pipeline axis 0
  // CHECK-COUNT-1: stencil.window
  // CHECK: return
  stencil.apply(%x = %u : !field, %p = %row : !stencil.field<[0,64]xf64>, %d = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [shared, cache, cache]>} {
    %s = stencil.access %x[1, 0, 0] : !field
    %q = stencil.access %p[_, _, 0] : !stencil.field<[0,64]xf64>
    %i = stencil.index 0 <[1, 0, 0]>
    %j = stencil.index 1 <[0, 0, 0]>
    %k = stencil.index 2 <[0, 0, 0]>
    %e = stencil.dyn_access %d[%i, %j, %k] in <[0, 0, 0]> : <[1, 0, 0]> : !field
    %t = arith.mulf %s, %q : f64
    %r = arith.mulf %e, %t : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}

// Nothing to do.
// CHECK-LABEL: func @stays
func.func @stays(%u: !field, %v: !field) {
  // CHECK-NOT: stencil.pipeline
  // CHECK: stencil.apply
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32], window = cache>} {
    %a = stencil.access %x[0, 0, -1] : !field
    stencil.return %a : f64
  } to <[0, 0, 0], [64, 64, 64]>
  // CHECK: stencil.apply
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[0, 0, -1] : !field
    stencil.return %a : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}
