// accumulate = scatter with a chain: each stage takes the newest plane of what it reads, and its sum is complete when
// the next one wants it.
// RUN: stencil-opt %s --stencil-stream-windows | FileCheck %s
// RUN: stencil-opt %s --stencil-stream-windows --remarks-filter=Schedule 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

!field = !stencil.field<[-2,66]x[-2,66]xf64>

// The window of %u holds the newest plane and one that is on its way, not the three that the first stage adds.
// CHECK-LABEL: func @two
// CHECK: %[[X:.*]] = stencil.window shared %{{.*}} depth 2 lead 3 :
// CHECK: %[[T:.*]]:2 = stencil.apply(%{{.*}} = %[[X]] : {{.*}} #stencil.stage<lead = 3>
// CHECK: %[[S:.*]] = stencil.accumulate %[[T]]#0, %[[T]]#1, %[[T]]#0 at [-1, 0, 1] :
// CHECK: %[[Q:.*]] = stencil.apply(%{{.*}} = %[[S]] : {{.*}} #stencil.stage<lead = 2>
// CHECK: %[[W:.*]] = stencil.window shared %[[Q]] depth 2 lead 2 :
// CHECK: %[[U:.*]]:2 = stencil.apply(%{{.*}} = %[[W]] : {{.*}} #stencil.stage<lead = 1>
// CHECK: %[[R:.*]] = stencil.accumulate %[[U]]#0, %[[U]]#1, %[[U]]#0 at [-1, 0, 1] :
// CHECK: stencil.store %[[R]]
func.func @two(%u: !field, %o: !field) {
  stencil.apply(%x = %u : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared, accumulate = scatter>} {
    %a = stencil.weighted_sum %x fastmath<reassoc> offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.25> : tensor<5xf64> : !field
    %b = arith.mulf %a, %a : f64
    %c = stencil.weighted_sum %b fastmath<reassoc> offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.25> : tensor<5xf64> : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// A stage that reads one plane has nothing to add up.
// CHECK-LABEL: func @in_plane
// CHECK: stencil.apply
// CHECK-NOT: stencil.accumulate
// CHECK: stencil.window shared
// CHECK: stencil.accumulate
func.func @in_plane(%u: !field, %o: !field) {
  stencil.apply(%x = %u : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared, accumulate = scatter>} {
    %a = stencil.weighted_sum %x fastmath<reassoc> offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %b = arith.mulf %a, %a : f64
    %c = stencil.weighted_sum %b fastmath<reassoc> offsets [[-1, 0], [0, 1], [1, 0]] weights dense<0.25> : tensor<3xf64> : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// A stage whose sum has an order keeps the planes that it reads.
// CHECK-LABEL: func @kept
// CHECK: stencil.window shared %{{.*}} depth 4 lead 3 :
// CHECK: stencil.apply
// CHECK-NOT: stencil.accumulate
// CHECK: stencil.window shared
// CHECK: stencil.accumulate
// REMARK: a stage that others follow keeps the planes that it reads: its sums may not be computed in another order
func.func @kept(%u: !field, %o: !field) {
  stencil.apply(%x = %u : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared, accumulate = scatter>} {
    %a = stencil.weighted_sum %x offsets [[-1, 0], [0, 1], [1, 0]] weights dense<0.25> : tensor<3xf64> : !field
    %b = arith.mulf %a, %a : f64
    %c = stencil.weighted_sum %b fastmath<reassoc> offsets [[-1, 0], [0, 1], [1, 0]] weights dense<0.25> : tensor<3xf64> : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}
