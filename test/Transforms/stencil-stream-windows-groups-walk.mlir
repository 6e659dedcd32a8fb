// Inputs in groups within a walk: of each group the newest plane, whose terms are added to the sums that need them. A
// sum over both groups has terms of both stages.
// RUN: stencil-opt %s --stencil-stream-windows=math=reassociate | FileCheck %s
// RUN: stencil-opt %s --stencil-stream-windows=math=reassociate --remarks-filter=Schedule 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

!field = !stencil.field<[-2,66]x[-2,66]xf64>

// CHECK-LABEL: func @walk
// CHECK: stencil.pipeline axis 0
// CHECK-DAG: %[[X:.*]] = stencil.window shared %{{.*}} depth 1 lead 1 group 0 prefetch tma :
// CHECK-DAG: %[[Y:.*]] = stencil.window shared %{{.*}} depth 1 lead 1 group 1 prefetch tma :
// The value of %x at the point itself is kept until the sums are complete; it is read while its plane is there.
// CHECK: %[[Q:.*]] = stencil.window registers %[[X]] depth 2 lead 1 :
// CHECK: %[[T:.*]]:3 = stencil.apply(%{{.*}} = %[[X]] : {{[^,]*}}) -> {{.*}} #stencil.stage<lead = 1>
// CHECK: stencil.accumulate %[[T]]#0, %[[T]]#0 at [-1, 1] :
// CHECK: %[[U:.*]]:3 = stencil.apply(%{{.*}} = %[[Y]] : {{[^,]*}}) -> {{.*}} #stencil.stage<lead = 1>
// CHECK-DAG: stencil.accumulate %[[U]]#0, %[[U]]#1 at [-1, 1] :
// CHECK-DAG: stencil.accumulate %[[T]]#1, %[[U]]#2, %[[T]]#2 at [-1, 0, 1] :
// CHECK: stencil.apply(%{{.*}}){{.*}} #stencil.stage<lead = 0>
// REMARK: 2 groups of inputs, 0 values of a point are handed on between them
func.func @walk(%u: !field, %v: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1], accumulate = scatter, prefetch = tma>} {
    %a = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<[-0.25, 0.75]> : tensor<2xf64> : !field
    %c = stencil.weighted_sum %y offsets [[0, -1], [0, 1]] weights dense<[-0.5, 0.5]> : tensor<2xf64> : !field
    %d = stencil.weighted_sum %y offsets [[-1, 0], [1, 0]] weights dense<[-0.125, 0.25]> : tensor<2xf64> : !field
    %e = arith.addf %b, %c : f64
    %f = arith.mulf %a, %d : f64
    %g = stencil.access %x[0, 0] : !field
    %h = arith.mulf %f, %g : f64
    %i = arith.mulf %h, %e : f64
    stencil.return %i : f64
  } to <[0, 0], [64, 64]>
  return
}

// A body that reads one plane of each input needs no sums.
// CHECK-LABEL: func @in_plane
// CHECK: stencil.window shared %{{.*}} depth 1 lead 0 group 0 :
// CHECK: stencil.window shared %{{.*}} depth 1 lead 1 group 1 :
// CHECK: stencil.apply
// CHECK: stencil.apply
// CHECK-NOT: stencil.accumulate
func.func @in_plane(%u: !field, %v: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1]>} {
    %a = stencil.access %x[0, -1] : !field
    %b = stencil.access %x[0, 1] : !field
    %c = stencil.access %y[1, -1] : !field
    %d = stencil.access %y[1, 1] : !field
    %e = arith.mulf %a, %b : f64
    %f = arith.mulf %c, %d : f64
    %g = arith.mulf %e, %f : f64
    stencil.return %g : f64
  } to <[0, 0], [64, 64]>
  return
}

// What both groups add to one plane is handed on.
// CHECK-LABEL: func @handed
// CHECK: stencil.window shared %{{.*}} group 0 :
// CHECK: stencil.window shared %{{.*}} group 1 :
// CHECK: %[[T:.*]]:2 = stencil.apply
// CHECK: %[[U:.*]]:2 = stencil.apply({{.*}} = %[[T]]#0 : {{.*}} = %[[T]]#1 :
// CHECK: stencil.accumulate %[[U]]#0, %[[U]]#1 at [-1, 1] :
// REMARK: 2 groups of inputs, 2 values of a point are handed on between them
func.func @handed(%u: !field, %v: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1], accumulate = scatter>} {
    %a = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<[0.5, 0.25]> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %y offsets [[-1, 0], [1, 0]] weights dense<[0.5, 0.75]> : tensor<2xf64> : !field
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// A queue of %x is filled for the first stage, before the one that reads the rest of it: %x has its own memory.
// CHECK-LABEL: func @queued
// CHECK: %[[X:.*]] = stencil.window shared %{{.*}} depth {{[2-9]}} lead {{[0-9]+}} :
// CHECK: stencil.window registers %[[X]]
// CHECK: stencil.window shared %{{.*}} depth 1 lead 0 group 0 :
func.func @queued(%u: !field, %v: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared, groups = [1], accumulate = shift>} {
    %a = stencil.weighted_sum %x offsets [[-1, 0], [0, 0]] weights dense<0.25> : tensor<2xf64> : !field
    %b = arith.mulf %a, %a : f64
    %c = stencil.weighted_sum %b offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : f64
    %d = stencil.access %x[0, 1] : !field
    %e = stencil.access %y[0, -1] : !field
    %f = arith.mulf %c, %d : f64
    %g = arith.mulf %f, %e : f64
    stencil.return %g : f64
  } to <[0, 0], [64, 64]>
  return
}
