// What threads keep from plane to plane is carried by the walk.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?x?xf64>

// A thread's own column of a shared window: one point per plane is read there,
// the two planes before are carried. The ring has lost plane p - 1.
// CHECK-LABEL: func.func @column
// CHECK-DAG: %[[NONE0:.*]] = ub.poison : !stencil.temp<[0,1]x[0,4]x[0,32]xf64>
// CHECK-DAG: %[[NONE1:.*]] = ub.poison : !stencil.temp<[-1,0]x[0,4]x[0,32]xf64>
// CHECK: tile.walk lookback 2 {{.*}} carry(%[[Q0:.*]] = %[[NONE0]] : {{.*}}, %[[Q1:.*]] = %[[NONE1]] : {{.*}}) {
// CHECK: %[[AHEAD:.*]] = tile.source {{.*}} -> !stencil.temp<[1,2]x[0,4]x[0,36]xf64>
// CHECK-NEXT: %[[NEW:.*]] = stencil.apply(%[[T:.*]] = %[[AHEAD]] : {{.*}}) -> (!stencil.temp<[1,2]x[0,4]x[0,32]xf64>) {
// CHECK-NEXT: stencil.access %[[T]][0, 0, 0]
// CHECK: %[[N0:.*]] = tile.shift %[[NEW]]
// CHECK: %[[N1:.*]] = tile.shift %[[Q0]]
// CHECK: %[[ALL:.*]] = tile.join %[[Q1]], %[[Q0]], %[[NEW]] : {{.*}} -> !stencil.temp<[-1,2]x[0,4]x[0,32]xf64>
// CHECK: %[[HERE:.*]] = tile.source {{.*}} -> !stencil.temp<[0,1]x[0,4]x[0,36]xf64>
// CHECK: stencil.apply(%{{.*}} = %[[HERE]] : {{.*}}, %{{.*}} = %[[ALL]] :
// CHECK: tile.yield %[[N0]], %[[N1]]
func.func @column(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 prefetch async : !temp
    %q = stencil.window registers %w depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp, %b = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0, 1] : !temp
      %s = stencil.weighted_sum %b offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      %d = arith.addf %c, %s : f64
      stencil.return %d : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// What a stage makes is kept as it is. It reads a field, which is read where
// somebody needs it: in the planes around the domain, too.
// CHECK-LABEL: func.func @stage
// CHECK: tile.walk lookback 2 plane %[[P:.*]] carry(%[[Q:.*]] = {{.*}}, %{{.*}} = {{.*}}) {
// CHECK-NEXT: %[[X:.*]] = tile.source %{{.*}}[%[[P]]] : {{.*}} -> !stencil.temp<?x?x?xf64>
// CHECK-NEXT: %[[NEW:.*]] = tile.where needs <[-1, 0, 0], [2, 1, 1]> -> (!stencil.temp<[1,2]x[0,4]x[0,32]xf64>) {
// CHECK-NEXT: %[[R:.*]] = stencil.apply(%{{.*}} = %[[X]]
// CHECK: tile.yield %[[R]]
// CHECK: tile.shift %[[NEW]]
// CHECK: tile.join %{{.*}}, %[[Q]], %[[NEW]]
func.func @stage(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 1] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window registers %t depth 3 lead 1 : !temp
    %r = stencil.apply(%b = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %b offsets [[-1, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Planes that nobody reads are not carried: of five, two are.
// CHECK-LABEL: func.func @short
// CHECK: carry(%{{[^=]*}} = %{{[^=]*}}, %[[Q1:[^ ]*]] = %{{[^=]*}}) {
// CHECK-NOT: tile.join
// CHECK: stencil.apply(%{{.*}} = %[[Q1]] : !stencil.temp<[-1,0]x[0,4]x[0,32]xf64>)
func.func @short(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window registers %x depth 5 lead 1 : !temp
    %r = stencil.apply(%b = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %b[-1, 0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Neighbours that are kept in registers are read where they come from.
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT: carry
// CHECK: tile.source %{{.*}} -> !stencil.temp<?x?x?xf64>
// CHECK-NOT: tile.join
// CHECK: return
func.func @neighbours(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window registers %x depth 3 lead 1 : !temp
    %r = stencil.apply(%b = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %b offsets [[-1, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
