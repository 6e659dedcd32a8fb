// RUN: stencil-opt %s --stencil-shape-loops="core-cache-bytes=1048576 threads=4 vector-bits=256 tile=0,64 deal=0" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

!field = !stencil.field<[-1,1025]x[-1,1025]xf64>
!temp = !stencil.temp<?x?xf64>

// A stage is computed within the box. Beside each row there is what the load
// keeps, and what the row has with the other sign; before the first row a
// constant, as soon as that row is there; behind the last one what the two
// before it make, in the place of the row that would follow.

// CHECK-LABEL: func.func @walk
// CHECK: %[[KEPT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3x80xf64>
// CHECK: scf.for
// CHECK: scf.for %[[P:.*]] =
// CHECK-DAG: %[[HERE:.*]] = arith.addi %[[P]], %c1 overflow<nsw>
// CHECK-DAG: %[[FIRST:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK-DAG: %[[END:.*]] = arith.minsi %{{.*}}, %c1024
// CHECK-DAG: %[[AFTER:.*]] = arith.cmpi sle, %[[FIRST]], %[[HERE]]
// CHECK-DAG: %[[BEFORE:.*]] = arith.cmpi slt, %[[HERE]], %[[END]]
// CHECK: %[[COMPUTED:.*]] = arith.andi %[[AFTER]], %[[BEFORE]]
// CHECK: scf.if %[[COMPUTED]]
// Rows begin at a line or at the box; where they do, no vector is masked.
// CHECK: %[[HEAD:.*]] = arith.andi %{{.*}}, %c3
// CHECK: %[[ISODD:.*]] = arith.cmpi ne, %[[HEAD]], %c0
// CHECK-NEXT: scf.if %[[ISODD]]
// As far as the tile has them.
// CHECK: %[[LEFT:.*]] = arith.maxsi %{{.*}}, %c-1
// CHECK-NEXT: scf.for %[[AT:.*]] = %[[LEFT]] to %c0
// CHECK: %[[OLD:.*]] = memref.load %arg1
// CHECK: memref.store %[[OLD]], %[[KEPT]]
// CHECK: %[[RIGHT:.*]] = arith.minsi %{{.*}}, %c1025
// CHECK-NEXT: scf.for %{{.*}} = %c1024 to %[[RIGHT]]
// CHECK: %[[LAST:.*]] = memref.load %[[KEPT]]
// CHECK-NEXT: %[[NEGATED:.*]] = arith.negf %[[LAST]]
// CHECK: memref.store %[[NEGATED]], %[[KEPT]]
// CHECK: %[[ISFIRST:.*]] = arith.cmpi eq, %[[HERE]], %c0
// CHECK-NEXT: scf.if %[[ISFIRST]]
// CHECK: memref.store %cst_{{[0-9]+}}, %[[KEPT]]
// CHECK: scf.for %{{.*}} = %[[LEFT]] to %c0
// CHECK: scf.for %{{.*}} = %c1024 to %[[RIGHT]]
// Weights of an extrapolation follow from the distance.
// CHECK: scf.if
// CHECK: %[[A:.*]] = memref.load %[[KEPT]]
// CHECK: %[[B:.*]] = memref.load %[[KEPT]]
// CHECK: math.roundeven
// CHECK: arith.mulf %[[A]]
// CHECK: math.roundeven
// CHECK: arith.mulf %[[B]]
// CHECK: arith.addf
// CHECK: memref.store %{{.*}}, %[[KEPT]]
// Then the second stage.
// CHECK: scf.if
// CHECK: vector.load %[[KEPT]]
func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %h = stencil.load %v : !field -> !temp
    %a = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %p[0, 0] : !temp
      stencil.return %0 : f64
    }
    %w = stencil.window shared %a depth 3 lead 1 boundary(<[0, 0], [1024, 1024]>) [#stencil.dirichlet<3.0> | #stencil.extrapolate<1>, #stencil.keep | #stencil.antisymmetric_about_face] keep %h : !temp
    %b = stencil.apply(%p = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[-1, -1] : !temp
      %1 = stencil.access %p[1, 1] : !temp
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %b to %v(<[0, 0], [1024, 1024]>) : !temp to !field
  }
  return
}

// -----

// Around the box a result has one halo: the second boundary is that of a copy.

// CHECK-LABEL: func.func @two_boundaries
// CHECK-COUNT-2: memref.alloc()
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @two_boundaries(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %p[0, 0] : !temp
      stencil.return %0 : f64
    }
    %a = stencil.window shared %s depth 2 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !temp
    %b = stencil.window shared %s depth 2 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.dirichlet<0.0>] : !temp
    %t = stencil.apply(%p = %a : !temp, %q = %b : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[1, 0] : !temp
      %1 = stencil.access %q[0, 1] : !temp
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %t to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// What is computed beyond the box is in another memory than the boundary.

// CHECK-LABEL: func.func @without_the_boundary
// CHECK-COUNT-2: memref.alloc()
!wide = !stencil.field<[-2,66]x[-2,66]xf64>
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @without_the_boundary(%u: !wide, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !wide -> !temp
    %s = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %p[0, 0] : !temp
      stencil.return %0 : f64
    }
    %a = stencil.window shared %s depth 2 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !temp
    %b = stencil.window shared %s depth 2 lead 1 : !temp
    %t = stencil.apply(%p = %a : !temp, %q = %b : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[1, 0] : !temp
      %1 = stencil.access %q[1, 0] : !temp
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %t to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// A load with a boundary is copied to where its halo has room: each time that
// the box is repeated by itself, so that a row is one piece. Before the first
// row there is the halo of the condition.

// CHECK-LABEL: func.func @load
// CHECK-SAME: %[[U:.*]]: memref<64x66xf64>, %{{.*}}: memref
// CHECK: %[[KEPT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2x72xf64>
// CHECK: scf.for %[[TIME:.*]] = %c0 to %c2
// CHECK: %[[MOVED:.*]] = arith.muli %[[TIME]], %c64
// CHECK: %[[FIRST:.*]] = arith.maxsi %[[MOVED]], %c1
// CHECK: %[[NEXT:.*]] = arith.addi %[[MOVED]], %c64
// CHECK: %[[END:.*]] = arith.minsi %[[NEXT]], %c65
// CHECK: scf.for %[[J:.*]] = %[[FIRST]] to %[[END]]
// CHECK: %[[FROM:.*]] = arith.subi %[[J]], %[[MOVED]]
// CHECK: %[[AT:.*]] = arith.addi %[[FROM]], %c1
// CHECK: %[[VALUE:.*]] = memref.load %[[U]][%{{.*}}, %[[AT]]]
// CHECK: memref.store %[[VALUE]], %[[KEPT]][%{{.*}}, %[[J]]]
// CHECK: %[[ISFIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK-NEXT: scf.if %[[ISFIRST]]
// CHECK: %[[ROW:.*]] = memref.load %[[KEPT]]
// CHECK: memref.store %[[ROW]], %[[KEPT]]
!field = !stencil.field<[0,64]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @load(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic] : !temp
    %s = stencil.apply(%p = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[-1, 1] : !temp
      stencil.return %0 : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// A halo that is 40 points wide on all sides takes as many lines as one of a single point.

// CHECK-LABEL: func.func @wide
// CHECK-COUNT-10: memref.store
// CHECK-NOT: memref.store
// CHECK: return
!field = !stencil.field<[-40,1064]x[-40,1064]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @wide(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %a = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 40>} {
      %0 = stencil.access %p[0, 0] : !temp
      stencil.return %0 : f64
    }
    %w = stencil.window shared %a depth 81 lead 40 boundary(<[0, 0], [1024, 1024]>) [#stencil.symmetric | #stencil.extrapolate<2>, #stencil.neumann | #stencil.extrapolate<1>] : !temp
    %b = stencil.apply(%p = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[-40, -40] : !temp
      %1 = stencil.access %p[40, 40] : !temp
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %b to %v(<[0, 0], [1024, 1024]>) : !temp to !field
  }
  return
}
