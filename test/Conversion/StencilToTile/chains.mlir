// Shared windows of what stages make: rings that threads put planes into, and
// stages beside the tile.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?xf64>

// A stage that is read at neighbours is computed around the tile, too; what it
// reads of the field only where somebody needs it.
// CHECK-LABEL: func.func @tile
// CHECK: %[[W:.*]] = tile.ring : !tile.ring<1 x [0,5]x[-4,36]xf64, fill = stage>
// CHECK: %[[T:.*]] = tile.where needs <[0, -1], [2, 3]> -> (!stencil.temp<[0,5]x[-1,34]xf64>) {
// CHECK: stencil.apply{{.*}} attributes {tile.layout = #tile.core_and_rim<core = <rank = 2, registers = [0: 2 by 1], threads = [1: 32 by 1, 0: 2 by 2]>, box = <[0, -1], [5, 34]>>}
// CHECK: tile.put %[[T]] to %[[W]] :
// CHECK-NEXT: %[[X:.*]] = tile.source %[[W]] : {{.*}} -> !stencil.temp<[0,5]x[-4,36]xf64>
// CHECK-NEXT: tile.where {
// CHECK: tile.store
func.func @tile(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 32], points = [2, 1]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, 1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    %w = stencil.window shared %t : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[0, -1], [0, 2], [1, 0]] weights dense<0.5> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// In a walk, with it goes what it reads at its own points: queues, sums. What
// reads them in the tile only has the kernel's layout.
// CHECK-LABEL: func.func @walk
// CHECK: %[[W:.*]] = tile.ring : !tile.ring<4 x [0,1]x[-4,36]xf64, fill = stage>
// CHECK: tile.walk lookback 5 plane %[[P:.*]] cursors(%[[C:.*]]: !tile.cursor<4>) carry(%[[Q:.*]] = %{{.*}} : !stencil.temp<[2,3]x[-1,33]xf64>,
// CHECK: %[[N:.*]] = tile.where needs <[-2, -1], [3, 2]> -> (!stencil.temp<[3,4]x[-1,33]xf64>) {
// CHECK: stencil.apply{{.*}} attributes {tile.layout = [[LAYOUT:#tile.core_and_rim<.* box = <\[0, -1\], \[1, 33\]>>]]}
// CHECK: %[[J:.*]] = tile.join %{{.*}}, %[[N]] : {{.*}} -> !stencil.temp<[1,4]x[-1,33]xf64>
// CHECK: %[[S:.*]] = stencil.apply(%{{.*}} = %[[J]] : {{.*}}) -> (!stencil.temp<[2,3]x[-1,33]xf64>) attributes {tile.layout = [[LAYOUT]]}
// CHECK: tile.put %[[S]] to %[[W]][%[[C]]] plane 2 : !stencil.temp<[2,3]x[-1,33]xf64>,
// CHECK: %[[X:.*]] = tile.source %[[W]][%[[C]]] : {{.*}} -> !stencil.temp<[-1,2]x[-4,36]xf64>
// CHECK: tile.where {
// CHECK-NEXT: stencil.apply(%{{.*}} = %[[X]]
func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window registers %x depth 3 lead 3 : !temp
    %t = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    %w = stencil.window shared %t depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.5> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// A window that is stored: all threads store what is shared, unless the field is
// read, too; of others, each thread its own points.
// CHECK-LABEL: func.func @stored
// CHECK: %[[W:.*]] = tile.ring {{.*}} fill = stage
// CHECK: tile.put %{{.*}} to %[[W]][%[[C:.*]]] :
// CHECK: %[[X:.*]] = tile.source %[[W]][%[[C]]] : {{.*}} -> !stencil.temp<[0,1]x[0,32]xf64>
// CHECK-NEXT: tile.store %[[X]] to %{{.*}}[%{{.*}}]
// CHECK-NOT: tile.where {
// CHECK: return
// CHECK-LABEL: func.func @in_place
// CHECK: %[[W:.*]] = tile.ring {{.*}} fill = stage
// CHECK: %[[X:.*]] = tile.source %[[W]]
// CHECK-NEXT: %[[Y:.*]] = stencil.apply(%[[A:.*]] = %[[X]] :
// CHECK-NEXT: stencil.access %[[A]][0, 0]
// CHECK: tile.store %[[Y]] to
func.func @stored(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[1, 0] : !temp
      stencil.return %s : f64
    }
    %w = stencil.window shared %t depth 2 lead 0 : !temp
    stencil.store %w to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
func.func @in_place(%u: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[0, 0] : !temp
      %d = arith.mulf %s, %s : f64
      stencil.return %d : f64
    }
    %w = stencil.window shared %t depth 2 lead 0 : !temp
    stencil.store %w to %u(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// The first iterations are for planes that the first stage does not have to make, and whose sources are not there: there it is left out.
// CHECK-LABEL: func.func @early
// CHECK: tile.walk lookback 5 plane %[[P:.*]] cursors
// CHECK: tile.where plane %[[P]] needs <[-1, -1], [2, 2]> -> (!stencil.temp<[1,2]x[-1,33]xf64>) {
// CHECK: stencil.apply
// CHECK: tile.put
func.func @early(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 4 lead 3 : !temp
    %t = stencil.apply(%a = %xw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %s = stencil.access %a[-1, 0] : !temp
      stencil.return %s : f64
    }
    %w = stencil.window shared %t depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp, %b = %xw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.5> : tensor<4xf64> : !temp
      %c = stencil.access %b[3, 0] : !temp
      %d = arith.addf %s, %c : f64
      stencil.return %d : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// Neighbours in registers that their shared window has lost: a value for each
// offset in the plane, and a queue.
// CHECK-LABEL: func.func @lost
// CHECK: tile.walk {{.*}} carry(%[[Q0:.*]] = %{{.*}} : !stencil.temp<[-1,0]x[0,32]xf64>, %[[Q1:.*]] = %{{.*}} : !stencil.temp<[-1,0]x[0,32]xf64>) {
// CHECK: %[[N:.*]]:2 = stencil.apply(%[[A:.*]] = %{{.*}} -> (!stencil.temp<[0,1]x[0,32]xf64>, !stencil.temp<[0,1]x[0,32]xf64>) {
// CHECK-NEXT: %[[V0:.*]] = stencil.access %[[A]][0, 0]
// CHECK-NEXT: %[[V1:.*]] = stencil.access %[[A]][0, 1]
// CHECK-NEXT: stencil.return %[[V0]], %[[V1]]
// CHECK: tile.shift %[[N]]#0
// CHECK: %[[J:.*]] = tile.join %[[Q0]], %[[N]]#0
// CHECK: tile.shift %[[N]]#1
// CHECK: %[[K:.*]] = tile.join %[[Q1]], %[[N]]#1
// CHECK: stencil.apply(%[[B:.*]] = %[[K]] : {{.*}}, %[[C:.*]] = %[[J]] :
// CHECK-NEXT: stencil.access %[[B]][-1, 0]
// CHECK-NEXT: stencil.access %[[C]][0, 0]
func.func @lost(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %q = stencil.window registers %w depth 2 lead 0 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 1] : !temp
      %d = stencil.access %a[0, 0] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// What no result depends on is not given to the stage.
// CHECK-LABEL: func.func @unused
// CHECK: tile.kernel @pipeline0(%{{[^=]*}} = %{{[^=]*}}, %{{[^=]*}} = %{{[^=]*}}) grid
// CHECK: stencil.apply(%{{.*}} = %{{.*}} : !stencil.temp<?x?xf64>) ->
func.func @unused(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32, 1]>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %w : !field -> !temp
    %r = stencil.apply(%a = %x : !temp, %b = %y : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      %d = stencil.access %b[0, 0] : !temp
      %e = arith.mulf %d, %d : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
