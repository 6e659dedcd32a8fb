// Pipelines without an axis: one tile, rings of one slot.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: func.func @tile
// CHECK: %[[W:.*]] = tile.ring : !tile.ring<1 x [-1,5]x[0,36]xf64, fill = async>
// CHECK-NEXT: tile.copy %{{.*}} to %[[W]] needs <[-1, 0], [2, 2]>
// CHECK-NEXT: tile.wait %[[W]]
// CHECK-NEXT: tile.source %[[W]] : {{.*}} -> !stencil.temp<[-1,5]x[0,36]xf64>
// CHECK: tile.store %{{.*}} to %{{.*}} : !stencil.temp<[0,4]x[0,32]xf64> to
func.func @tile(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x prefetch async : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, 1], [1, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// A group is fetched when the stages of the one before are done; the last one
// before the stages that only stores follow.
// CHECK-LABEL: func.func @groups
// CHECK: %[[A:.*]] = tile.ring overlay 0
// CHECK: %[[B:.*]] = tile.ring overlay 1
// CHECK-NEXT: tile.copy %{{.*}} to %[[A]]
// CHECK-NEXT: %[[X:.*]] = tile.source %[[A]]
// CHECK-NEXT: %[[P:.*]] = stencil.apply(%{{.*}} = %[[X]]
// CHECK: tile.copy %{{.*}} to %[[B]]
// CHECK-NEXT: %[[Y:.*]] = tile.source %[[B]]
// CHECK-NEXT: tile.where {
// CHECK-NEXT: stencil.apply(%{{.*}} = %[[Y]] : {{.*}}, %{{.*}} = %[[P]] :
func.func @groups(%u: !field, %v: !field, %o: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %a = stencil.window shared %x group 0 : !temp
    %y = stencil.load %v : !field -> !temp
    %b = stencil.window shared %y group 1 : !temp
    %p = stencil.apply(%c = %a : !temp) -> (!temp) {
      %d = stencil.access %c[-1, 0] : !temp
      stencil.return %d : f64
    }
    %r = stencil.apply(%c = %b : !temp, %d = %p : !temp) -> (!temp) {
      %e = stencil.access %c[1, 0] : !temp
      %f = stencil.access %d[0, 0] : !temp
      %g = arith.mulf %e, %f : f64
      stencil.return %g : f64
    }
    stencil.store %r to %o(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// Registers of a load: without a walk nothing is kept, and the field is read.
// What no store depends on is gone.
// CHECK-LABEL: func.func @registers
// CHECK: tile.kernel @pipeline0(%[[U:.*]] = %arg0 : {{.*}}, %[[V:.*]] = %arg1 : {{.*}}) grid
// CHECK-NEXT: %[[X:.*]] = tile.source %[[U]]
// CHECK-NEXT: tile.where {
// CHECK-NEXT: stencil.apply(%{{.*}} = %[[X]] :
// CHECK-NOT: stencil.apply
// CHECK: return
func.func @registers(%u: !field, %v: !field, %o: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window registers %x : !temp
    %y = stencil.load %o : !field -> !temp
    %z = stencil.window shared %y : !temp
    %n = stencil.apply(%a = %z : !temp) -> (!temp) {
      %d = stencil.access %a[0, 0] : !temp
      stencil.return %d : f64
    }
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %d = stencil.access %a[0, 1] : !temp
      stencil.return %d : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
