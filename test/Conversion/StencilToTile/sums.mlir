// Partial sums are carried; each plane's stage adds its term to the sum that has
// the terms before it.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>

// Terms at planes -1, 0, 1 of a stage of lead 1: for plane p + 2 a sum begins,
// that for p + 1 goes on, that for p is complete.
// CHECK-LABEL: func.func @scatter
// CHECK: tile.walk lookback 2 {{.*}} carry(%[[S0:.*]] = %{{.*}} : !stencil.temp<[1,2]x[0,32]xf64>, %[[S1:.*]] = %{{.*}} : !stencil.temp<[0,1]x[0,32]xf64>) {
// CHECK: %[[T:.*]]:2 = stencil.apply({{.*}}) -> (!stencil.temp<[1,2]x[0,32]xf64>, !stencil.temp<[1,2]x[0,32]xf64>) {
// CHECK: %[[FIRST:.*]] = stencil.apply(%[[A:.*]] = %[[T]]#0 : {{.*}}) -> (!stencil.temp<[2,3]x[0,32]xf64>) {
// CHECK-NEXT: %[[V:.*]] = stencil.access %[[A]][-1, 0]
// CHECK-NEXT: stencil.return %[[V]]
// CHECK: %[[NEXT0:.*]] = tile.shift %[[FIRST]] : {{.*}} -> !stencil.temp<[1,2]x[0,32]xf64>
// CHECK-NEXT: %[[SECOND:.*]] = stencil.apply(%[[B:.*]] = %[[S0]] : {{.*}}, %[[A:.*]] = %[[T]]#1 : {{.*}}) -> (!stencil.temp<[1,2]x[0,32]xf64>) {
// CHECK-NEXT: %[[V:.*]] = stencil.access %[[A]][0, 0]
// CHECK-NEXT: %[[W:.*]] = stencil.access %[[B]][0, 0]
// CHECK-NEXT: arith.addf %[[W]], %[[V]] fastmath<reassoc> : f64
// CHECK: %[[NEXT1:.*]] = tile.shift %[[SECOND]]
// CHECK-NEXT: %[[SUM:.*]] = stencil.apply(%[[B:.*]] = %[[S1]] : {{.*}}, %[[A:.*]] = %[[T]]#0 : {{.*}}) -> (!stencil.temp<[0,1]x[0,32]xf64>) {
// CHECK-NEXT: stencil.access %[[A]][1, 0]
// CHECK: tile.store %[[SUM]]
// CHECK: tile.yield %[[NEXT0]], %[[NEXT1]]
func.func @scatter(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 prefetch tma : !temp
    %t:2 = stencil.apply(%a = %w : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      %s = stencil.access %a[0, 1] : !temp
      stencil.return %c, %s : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1, %t#0 at [-1, 0, 1] : !temp
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// A plane without a term: the sum waits one iteration more.
// CHECK-LABEL: func.func @gap
// CHECK: carry(%[[S0:.*]] = {{.*}}, %[[S1:.*]] = {{.*}}) {
// CHECK: %[[FIRST:.*]] = stencil.apply({{.*}}) -> (!stencil.temp<[2,3]x
// CHECK: %[[NEXT0:.*]] = tile.shift %[[FIRST]]
// CHECK: %[[NEXT1:.*]] = tile.shift %[[S0]] : !stencil.temp<[1,2]x[0,32]xf64> -> !stencil.temp<[0,1]x[0,32]xf64>
// CHECK: stencil.apply(%{{.*}} = %[[S1]]
func.func @gap(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 prefetch tma : !temp
    %t = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %s = stencil.accumulate %t, %t at [-1, 1] : !temp
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
