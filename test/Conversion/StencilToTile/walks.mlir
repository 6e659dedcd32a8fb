// Shared windows of loads become rings. What is read in the iteration in which
// it comes is waited for, or copied, first; later planes are asked for behind
// that: one barrier between the two is enough.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Copied when it is read: plane p + 1, which comes with the iteration.
// CHECK-LABEL: func.func @threads
// CHECK: grid <domain = <[0, 0, 0], [64, 64, 64]>, block = [1, 4, 16], points = [1, 2, 2], align = 4, walk = 0, segments = 2>
// CHECK-NEXT: %[[W:.*]] = tile.ring : !tile.ring<4 x [0,1]x[-1,9]x[-4,36]xf64>
// CHECK-NEXT: tile.walk lookback 2 plane %[[P:.*]] cursors(%[[C:.*]]: !tile.cursor<4>) {
// CHECK-NEXT: tile.copy %{{.*}}[%[[P]]] to %[[W]][%[[C]]] plane 1 needs <[-1, -1, -1], [2, 2, 2]>
// CHECK-NEXT: %[[X:.*]] = tile.source %[[W]][%[[C]]] : {{.*}} -> !stencil.temp<[-1,2]x[-1,9]x[-4,36]xf64>
// CHECK-NEXT: tile.where {
// CHECK-NEXT: stencil.apply(%{{.*}} = %[[X]] : {{.*}}) -> (!stencil.temp<[0,1]x[0,8]x[0,32]xf64>) {
// CHECK-NEXT: stencil.weighted_sum
// CHECK: tile.store %{{.*}} to %{{.*}}[%[[P]]]
func.func @threads(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 2], segments = 2, stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<1.0> : tensor<6xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Planes of the loop are the walk's to say.
// CHECK-LABEL: func.func @unroll
// CHECK: tile.walk lookback 2 plane %{{.*}} cursors({{.*}}) attributes {stencil.unroll = 3 : i64} {
func.func @unroll(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 2], stream = 0, unroll = 3>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// In registers for one iteration: the wait stores what the copy of the last
// iteration has loaded.
// CHECK-LABEL: func.func @delayed
// CHECK: tile.ring : !tile.ring<3 x [0,1]x[0,4]x[0,32]xf64, fill = delayed>
// CHECK: tile.wait %{{.*}} plane 2
// CHECK-NEXT: tile.copy %{{.*}} plane 3
// CHECK-NEXT: tile.source {{.*}} -> !stencil.temp<[0,2]x
func.func @delayed(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 prefetch registers : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[0, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Of several windows, all waits, and the copies that are read at once, come
// first. Those of one depth share a cursor.
// CHECK-LABEL: func.func @several
// CHECK: %[[A:.*]] = tile.ring : {{.*}}fill = tma>
// CHECK: %[[B:.*]] = tile.ring : {{.*}}fill = async>
// CHECK: %[[C:.*]] = tile.ring : !tile.ring<2 x
// CHECK: tile.walk plane %{{.*}} cursors(%[[FOUR:.*]]: !tile.cursor<4>, %[[TWO:.*]]: !tile.cursor<2>)
// CHECK-NEXT: tile.wait %[[A]][%[[FOUR]]] :
// CHECK-NEXT: tile.wait %[[B]][%[[FOUR]]] :
// CHECK-NEXT: tile.copy %{{.*}} to %[[C]][%[[TWO]]] needs
// CHECK-NEXT: tile.copy %{{.*}} to %[[A]][%[[FOUR]]] plane 3
// CHECK-NEXT: tile.copy %{{.*}} to %[[B]][%[[FOUR]]] plane 2
func.func @several(%u: !field, %v: !field, %w: !field, %o: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %v : !field -> !temp
    %z = stencil.load %w : !field -> !temp
    %a = stencil.window shared %x depth 4 lead 3 prefetch tma : !temp
    %b = stencil.window shared %y depth 4 lead 2 prefetch async : !temp
    %c = stencil.window shared %z depth 2 lead 0 : !temp
    %r = stencil.apply(%d = %a : !temp, %e = %b : !temp, %f = %c : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %g = stencil.access %d[0, 0, 0] : !temp
      %h = stencil.access %e[0, 0, 0] : !temp
      %i = stencil.access %f[0, 0, 0] : !temp
      %j = arith.addf %g, %h : f64
      %k = arith.addf %j, %i : f64
      stencil.return %k : f64
    }
    stencil.store %r to %o(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// A walk along the rows: a slot is a column, and nothing is aligned.
// CHECK-LABEL: func.func @along_rows
// CHECK: grid <domain = <[0, 0, 0], [64, 64, 64]>, block = [2, 32, 1], points = [1, 1, 1], walk = 2>
// CHECK: tile.ring : !tile.ring<2 x [0,2]x[1,33]x[0,1]xf64, pitch = 1>
func.func @along_rows(%u: !field, %v: !field) {
  stencil.pipeline axis 2 attributes {stencil.schedule = #stencil.schedule<block = [2, 32, 1]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// What is read two planes late, at the plane of the copy two iterations ago, is
// there for the first plane that is stored.
// CHECK-LABEL: func.func @late
// CHECK: tile.walk lookback 2 plane
func.func @late(%u: !stencil.field<[-2,65]xf64>, %v: !stencil.field<[-2,65]xf64>) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1]>} {
    %x = stencil.load %u : !stencil.field<[-2,65]xf64> -> !stencil.temp<?xf64>
    %w = stencil.window shared %x depth 4 lead 0 : !stencil.temp<?xf64>
    %r = stencil.apply(%a = %w : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-2] : !stencil.temp<?xf64>
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !stencil.temp<?xf64> to !stencil.field<[-2,65]xf64>
  }
  return
}

// Groups share one place: the plane of each comes when the stages of the one
// before are done, whatever the leads. What the first one adds is kept.
// CHECK-LABEL: func.func @groups
// CHECK: %[[A:.*]] = tile.ring overlay 0 : !tile.ring<1 x {{.*}}fill = tma>
// CHECK: %[[B:.*]] = tile.ring overlay 1 : !tile.ring<1 x {{.*}}fill = tma>
// CHECK: tile.walk lookback 2 plane %[[P:.*]] cursors(%[[C:.*]]: !tile.cursor<1>) carry(
// CHECK-NEXT: tile.copy %{{.*}}[%[[P]]] to %[[A]][%[[C]]] plane 1
// CHECK-NEXT: tile.wait %[[A]][%[[C]]] plane 1
// CHECK-NEXT: %[[X:.*]] = tile.source %[[A]]
// CHECK-NEXT: %[[T:.*]]:2 = stencil.apply(%{{.*}} = %[[X]] :
// CHECK: stencil.apply({{.*}}%[[T]]#
// CHECK: tile.copy %{{.*}}[%[[P]]] to %[[B]][%[[C]]] needs
// CHECK-NEXT: tile.wait %[[B]][%[[C]]] :
// CHECK-NEXT: tile.source %[[B]]
// CHECK: tile.where
// CHECK: tile.yield
func.func @groups(%u: !field, %v: !field, %o: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %a = stencil.window shared %x depth 1 lead 1 group 0 prefetch tma : !temp
    %y = stencil.load %v : !field -> !temp
    %b = stencil.window shared %y depth 1 lead 0 group 1 prefetch tma : !temp
    %t:2 = stencil.apply(%c = %a : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %d = stencil.access %c[0, 1, 0] : !temp
      %e = stencil.access %c[0, 0, 1] : !temp
      stencil.return %d, %e : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [-1, 1] : !temp
    %r = stencil.apply(%c = %b : !temp, %d = %s : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %e = stencil.access %c[0, 0, -1] : !temp
      %f = stencil.access %d[0, 0, 0] : !temp
      %g = arith.mulf %e, %f : f64
      stencil.return %g : f64
    }
    stencil.store %r to %o(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
