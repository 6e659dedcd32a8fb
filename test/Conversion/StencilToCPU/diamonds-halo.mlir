// A halo that changes from step to step is filled where its points are made: by a diamond that has the plane, by a tile that has the row.
// RUN: stencil-opt %s --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>

// CHECK-LABEL: func.func @neumann
// What the first step reads, if there is one. The other buffer has corners that the first axis keeps, if there are two.
// CHECK: %[[STEPS:.*]] = arith.maxsi %arg2, %c0
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[STEPS]], %c0
// CHECK: scf.if %[[SOME]] {
// CHECK: memref.store {{.*}}, %arg0
// CHECK: %[[TWO:.*]] = arith.cmpi sgt, %[[STEPS]], %c1
// CHECK: scf.if %[[TWO]] {
// CHECK: memref.store {{.*}}, %arg1
// CHECK: scf.for %[[STEP:.*]] = {{.*}} iter_args(%[[FROM:.*]] = %arg0, %[[TO:.*]] = %arg1)
// CHECK: memref.store {{.*}}, %[[TO]]
// Not behind the last step.
// CHECK: %[[NEXT:.*]] = arith.addi %[[STEP]], %c1
// CHECK: %[[ISREAD:.*]] = arith.cmpi slt, %[[NEXT]], %[[STEPS]]
// CHECK: scf.if %[[ISREAD]] {
// Rows before the first one, where the tile has that.
// CHECK: %[[BELOW:.*]] = arith.cmpi sle, %[[LOW:.*]], %c0
// CHECK: %[[ABOVE:.*]] = arith.cmpi sgt, %[[HIGH:.*]], %c0
// CHECK: %[[HAS:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK: scf.if %[[HAS]] {
// CHECK: memref.load %[[TO]]
// CHECK: memref.store {{.*}}, %[[TO]]
// CHECK: scf.yield %[[TO]], %[[FROM]]
func.func @neumann(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.keep, #stencil.neumann] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %p = stencil.access %x[-1, 0] : !field
      %q = stencil.access %x[0, 1] : !field
      %s = arith.addf %p, %q : f64
      stencil.return %s : f64
    } to <[0, 0], [64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7, tile = 16>}
  return
}

// Of several fields, who makes the points of each makes its halo: two applies, of which the second reads the first state at the point itself.

// CHECK-LABEL: func.func @pair
// CHECK: scf.for %{{.*}} iter_args(%[[U:.*]] = %arg0, %[[UN:.*]] = %arg1, %[[V:.*]] = %arg2, %[[VN:.*]] = %arg3)
// CHECK: memref.load %[[U]]
// CHECK: memref.store {{.*}}, %[[UN]]
// CHECK: memref.load %[[UN]]
// CHECK-NEXT: memref.store {{.*}}, %[[UN]]
// CHECK: memref.load %[[V]]
// CHECK: memref.store {{.*}}, %[[VN]]
// CHECK: memref.load %[[VN]]
// CHECK: arith.negf
// CHECK-NEXT: memref.store {{.*}}, %[[VN]]
// CHECK: scf.yield %[[UN]], %[[U]], %[[VN]], %[[V]]
func.func @pair(%a: !field, %b: !field, %c: !field, %d: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:4 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %un = %b, %v = %c, %vn = %d) -> (!field, !field, !field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep] : !field
    stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.keep, #stencil.antisymmetric] : !field
    stencil.apply(%x = %u : !field) outs (%un : !field) {
      %p = stencil.access %x[-1, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    stencil.apply(%y = %v : !field, %x = %u : !field) outs (%vn : !field) {
      %p = stencil.access %y[0, 1] : !field
      %q = stencil.access %x[0, 0] : !field
      %s = arith.addf %p, %q : f64
      stencil.return %s : f64
    } to <[0, 0], [64, 64]>
    scf.yield %un, %u, %vn, %v : !field, !field, !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7, tile = 16>}
  return
}

// A periodic axis is folded: of its 65 planes, 33 are places of diamonds, and at each but the one in the middle there is another plane, counted from the end.

!ring = !stencil.field<[-1,66]x[-1,65]xf64>

// CHECK-LABEL: func.func @ring
// CHECK: scf.for %{{.*}} iter_args(%[[FROM:.*]] = %arg0, %[[TO:.*]] = %arg1)
// CHECK: %[[CLIPPED:.*]] = arith.minsi %{{.*}}, %c33
// CHECK: %[[HIGH:.*]] = arith.maxsi %[[CLIPPED]], %[[LOW:.*]] : index
// CHECK: scf.for %[[HALF:.*]] = %c0 to %c2 step %c1 {
// CHECK: %[[ISFIRST:.*]] = arith.cmpi eq, %[[HALF]], %c0
// CHECK: %[[MIRRORED:.*]] = arith.subi %c65, %[[HIGH]]
// CHECK: %[[BEHIND:.*]] = arith.maxsi %[[MIRRORED]], %c33
// CHECK: %[[BEGIN:.*]] = arith.select %[[ISFIRST]], %[[LOW]], %[[BEHIND]]
// CHECK: %[[END:.*]] = arith.select %[[ISFIRST]], %[[HIGH]],
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: memref.store {{.*}}, %[[TO]]
// Whoever has the last plane fills the halo before the first one.
// CHECK: arith.cmpi sle, %[[BEGIN]], %c64
// CHECK: memref.load %[[TO]][%c65
// CHECK: memref.store {{.*}}, %[[TO]][%c0
func.func @ring(%a: !ring, %b: !ring, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!ring, !ring) {
    stencil.boundary %u(<[0, 0], [65, 64]>) [#stencil.periodic, #stencil.neumann] : !ring
    stencil.apply(%x = %u : !ring) outs (%v : !ring) {
      %p = stencil.access %x[-1, 0] : !ring
      %q = stencil.access %x[0, 1] : !ring
      %s = arith.addf %p, %q : f64
      stencil.return %s : f64
    } to <[0, 0], [65, 64]>
    scf.yield %v, %u : !ring, !ring
  } {stencil.diamonds = #stencil.diamonds<steps = 7, tile = 16>}
  return
}

// A halo of several points, or between two applies, takes a phase of its own, at the place of the outermost points. All three move by two planes, as far as the halo is made of.

// CHECK-LABEL: func.func @extrapolated
// CHECK: scf.for %[[STEP:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK: %[[PHASE:.*]] = arith.muli %{{.*}}, %c3
// CHECK: memref.load %arg0
// CHECK: memref.store {{.*}}, %arg1
// CHECK: %[[SECOND:.*]] = arith.addi %[[PHASE]], %c1
// CHECK: arith.muli %[[SECOND]], %c2
// CHECK: %[[HIGH:.*]] = arith.maxsi %{{[0-9]+}}, %[[LOW:[0-9]+]] : index
// CHECK: %[[BELOW:.*]] = arith.cmpi sle, %[[LOW]], %c0
// CHECK: %[[ABOVE:.*]] = arith.cmpi sgt, %[[HIGH]], %c0
// CHECK: %[[HAS:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK: scf.if %[[HAS]] {
// CHECK: memref.load %arg1[%c1,
// CHECK-NEXT: memref.load %arg1[%c2,
// CHECK-NEXT: memref.load %arg1[%c3,
// CHECK: memref.store {{.*}}, %arg1[%c0,
// CHECK: memref.store {{.*}}, %arg1[%c65,
// CHECK: arith.addi %[[PHASE]], %c2
// CHECK: memref.load %arg1
// CHECK: memref.store {{.*}}, %arg0
func.func @extrapolated(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %p = stencil.access %x[-1, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.extrapolate<2>, #stencil.keep] : !field
    stencil.apply(%x = %v : !field) outs (%u : !field) {
      %p = stencil.access %x[1, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    scf.yield %u, %v : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 3, tile = 16>}
  return
}
