// Windows with a boundary: copies from where planes have their values, patches
// of what has come, and loads for those of the next iteration.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?x?xf64>

// CHECK: #[[EDGE:.*]] = #tile.boundary<box = <[0, 0, 0], [64, 64, 64]>, sides = [#stencil.periodic, #stencil.neumann, #stencil.dirichlet<1.000000e+00 : f64> | #stencil.keep]>

// CHECK-LABEL: func.func @ahead
// CHECK: tile.walk lookback 2 plane
// CHECK-NEXT: tile.wait %{{.*}} plane 1
// CHECK-NEXT: tile.patch %{{.*}} plane 1 from %{{.*}} needs <[-1, -1, -1], [2, 2, 2]> boundary #[[EDGE]]
// CHECK-NEXT: tile.copy %{{.*}} plane 3 needs <[-1, -1, -1], [2, 2, 2]> boundary #[[EDGE]]
// CHECK-NEXT: tile.fringe %{{.*}} plane 2 needs <[-1, -1, -1], [2, 2, 2]> boundary #[[EDGE]]
// CHECK-NEXT: tile.source
func.func @ahead(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 2, 2], segments = 2, stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 5 lead 3 prefetch tma boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.periodic, #stencil.neumann, #stencil.dirichlet<1.0> | #stencil.keep] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<1.0> : tensor<6xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// What is copied in the iteration in which it is read is patched behind that.
// CHECK-LABEL: func.func @at_once
// CHECK: tile.walk
// CHECK-NEXT: tile.copy %{{.*}} plane 1
// CHECK-NEXT: tile.patch %{{.*}} plane 1
// CHECK-NEXT: tile.fringe %{{.*}} plane 2
// CHECK-NEXT: tile.source
func.func @at_once(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 1 boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.antisymmetric, #stencil.symmetric, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [1, 0, 1]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Without a walk, each group when it has come.
// CHECK-LABEL: func.func @tiles
// CHECK: tile.copy %[[U:.*]] to %[[A:.*]] needs
// CHECK-NEXT: tile.fringe %[[U]] for %[[A]] needs
// CHECK-NEXT: tile.wait %[[A]]
// CHECK-NEXT: tile.patch %[[A]] from %[[U]] needs
// CHECK: stencil.apply
// CHECK: tile.copy %[[V:.*]] to %[[B:.*]] needs
// CHECK-NEXT: tile.fringe %[[V]] for %[[B]] needs
// CHECK-NEXT: tile.wait %[[B]]
// CHECK-NEXT: tile.patch %[[B]] from %[[V]] needs
func.func @tiles(%u: !field, %v: !field, %o: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 4, 16]>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %v : !field -> !temp
    %w = stencil.window shared %x group 0 prefetch tma boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.periodic, #stencil.neumann, #stencil.symmetric] : !temp
    %q = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.access %a[1, 0, 1] : !temp
      stencil.return %s : f64
    }
    %z = stencil.window shared %y group 1 prefetch tma boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.periodic, #stencil.neumann, #stencil.symmetric] : !temp
    %r = stencil.apply(%a = %z : !temp, %b = %q : !temp) -> (!temp) {
      %s = stencil.access %a[1, 0, 1] : !temp
      %t = stencil.access %b[0, 0, 0] : !temp
      %m = arith.mulf %s, %t : f64
      stencil.return %m : f64
    }
    stencil.store %r to %o(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Nothing is read beyond the box but what is kept.
// CHECK-LABEL: func.func @within
// CHECK-NOT: {{boundary|tile.patch|tile.fringe}}
// CHECK: tile.store
func.func @within(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 0 boundary(<[0, 0, 0], [64, 64, 64]>) [#stencil.keep | #stencil.neumann, #stencil.neumann, #stencil.neumann | #stencil.keep] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, 0, 1]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
