// What a chain computes, reads at neighbouring points and stores as well is stored by the stage that makes it, at its lead: no stage copies it, no window
// keeps it longer for the store.
// RUN: stencil-opt %s --stencil-stream-windows | FileCheck %s
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry levels --verify
// RUN: stencil-run %s --target cpu --threads 2 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry levels --verify
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry all_made --verify
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry in_place --verify

!field = !stencil.field<[-2,27]x[-2,27]x[-2,39]xf64>

// CHECK-LABEL: func @levels
// CHECK: %[[L:.*]] = stencil.apply({{.*}}) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 2>}
// CHECK: stencil.window shared %[[L]] depth 4 lead 2 :
// CHECK: %[[R:.*]] = stencil.apply({{.*}}) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>}
// CHECK-NOT: stencil.window
// CHECK: stencil.store %[[L]] to
// CHECK: stencil.store %[[R]] to
func.func @levels(%u: !field, %v: !field, %w: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field, %w : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 2], stream = 0, segments = 2, window = shared, chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.25> : tensor<5xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<0.5> : tensor<3xf64> : f64
    stencil.return %l, %s : f64, f64
  } to <[0, 0, 0], [25, 25, 37]>
  return
}

// A value that the body returns twice, and nothing else.
// CHECK-LABEL: func @all_made
// CHECK: %[[L:.*]] = stencil.apply
// CHECK-NOT: stencil.apply
// CHECK: stencil.store %[[L]] to
// CHECK: stencil.store %[[L]] to
func.func @all_made(%u: !field, %v: !field, %w: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field, %w : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %s = stencil.weighted_sum %l offsets [[0, 0, 1]] weights dense<0.5> : tensor<1xf64> : f64
    stencil.return %l, %l : f64, f64
  } to <[0, 0, 0], [25, 25, 37]>
  return
}

// A field that is read where it is stored to: a later stage reads it, so that the store waits for plane p.
// CHECK-LABEL: func @in_place
// CHECK: %[[L:.*]] = stencil.apply({{.*}} attributes {stencil.stage = #stencil.stage<lead = 2>}
// CHECK: %[[R:.*]]:2 = stencil.apply({{.*}} attributes {stencil.stage = #stencil.stage<lead = 0>}
// CHECK: stencil.store %[[R]]#0 to
// CHECK: stencil.store %[[R]]#1 to
func.func @in_place(%u: !field, %v: !field, %w: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%v : !field, %w : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [shared, cache], chain = shared>} {
    %l = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0, 0], [1, 0, 0]] weights dense<0.5> : tensor<2xf64> : f64
    %o = stencil.access %y[0, 0, 0] : !field
    %r = arith.addf %s, %o : f64
    stencil.return %l, %r : f64, f64
  } to <[0, 0, 0], [25, 25, 37]>
  return
}
