// What threads compute of the stages of a chain moves along the row, where a stage is read beside its points.
// RUN: stencil-opt %s --stencil-stream-windows=math=reassociate | FileCheck %s

!field = !stencil.field<[-4,68]x[-4,68]xf64>

// The second part reads the first one along the row, the third one both: the first one at its own point, which another
// thread has. So there is a window in lanes for that, too. The stores say where tiles begin.
// CHECK-LABEL: func @chain
// CHECK: stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0>}
// CHECK: %[[L:.*]] = stencil.apply
// CHECK-SAME: stencil.stage = #stencil.stage<lead = 0>
// CHECK: %[[LW:.*]] = stencil.window shuffle %[[L]] depth 1 lead 0
// CHECK: %[[E:.*]] = stencil.apply({{.*}} = %[[LW]]
// CHECK-SAME: stencil.stage = #stencil.stage<lead = 0, skew = [0, -1]>
// CHECK: %[[EW:.*]] = stencil.window shuffle %[[E]] depth 1 lead 0
// CHECK: stencil.apply({{.*}}%[[LW]]{{.*}}%[[EW]]
// CHECK-SAME: stencil.stage = #stencil.stage<lead = 0, skew = [0, -2]>
func.func @chain(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shuffle, skew = -1>} {
    %l = stencil.weighted_sum %x offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %e = stencil.weighted_sum %l offsets [[0, -1], [0, 1]] weights dense<0.5> : tensor<2xf64> : f64
    %f = arith.mulf %e, %e : f64
    %g = stencil.weighted_sum %f offsets [[0, 1]] weights dense<1.0> : tensor<1xf64> : f64
    %s = arith.addf %g, %l : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// What is read along the walk only is not moved; terms of a sum are with it.
// CHECK-LABEL: func @planes
// CHECK: stencil.stage = #stencil.stage<lead = 1>
// CHECK: stencil.window registers
// CHECK: stencil.stage = #stencil.stage<lead = 0>
// CHECK-NOT: skew
func.func @planes(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = registers, skew = 3>} {
    %l = stencil.weighted_sum %x offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %e = stencil.weighted_sum %l offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %e : f64
  } to <[0, 0], [64, 64]>
  return
}

// CHECK-LABEL: func @sums
// CHECK: skew = [0, -2]>
// CHECK: stencil.accumulate
// CHECK-NOT: skew = [0, -4]
func.func @sums(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shuffle, accumulate = scatter, skew = -2>} {
    %l = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %e = stencil.weighted_sum %l offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.5> : tensor<4xf64> : f64
    stencil.return %e : f64
  } to <[0, 0], [64, 64]>
  return
}
