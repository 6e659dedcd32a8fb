// RUN: stencil-opt %s --stencil-shape-loops="core-cache-bytes=1048576 threads=4 vector-bits=256" --convert-stencil-to-cpu --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-shape-loops="core-cache-bytes=1048576 threads=4 vector-bits=256 tile=0,64" --convert-stencil-to-cpu --canonicalize --split-input-file | FileCheck %s --check-prefix=TILE

// Each thread keeps three rows of what the first stage makes, although the
// pipeline keeps four for threads that wait for each other: rows begin at a
// line, eight elements before the tile, and end behind the two that are read
// beside it. Planes are at their numbers modulo three.

// CHECK-LABEL: func @two_stages
// CHECK: scf.parallel
// CHECK: %[[KEPT:.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<3x?xf64>
// CHECK: scf.for
// CHECK: scf.for
// A row of the first stage, one ahead, if the tile needs it.
// CHECK: scf.if
// CHECK: vector.load %{{.*}} : memref<1026x1026xf64>, vector<4xf64>
// CHECK: arith.remui %{{.*}}, %{{.*}} : index
// CHECK: vector.store %{{.*}}, %[[KEPT]]
// Then one of the second, from three rows of it.
// CHECK: scf.if
// CHECK: vector.load %[[KEPT]]
// CHECK: vector.load %[[KEPT]]
// CHECK: memref.dealloc %[[KEPT]]
// CHECK-NOT: memref.dealloc

// A tile of 64 points has a line in front of it, and one behind.
// TILE-LABEL: func @two_stages
// TILE: memref.alloc() {alignment = 64 : i64} : memref<3x80xf64>
!field = !stencil.field<[-1,1025]x[-1,1025]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @two_stages(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %a = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %p[-1, 0] : !temp
      %1 = stencil.access %p[1, 0] : !temp
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    %w = stencil.window shared %a depth 4 lead 2 : !temp
    %b = stencil.apply(%p = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[-1, -1] : !temp
      %1 = stencil.access %p[1, 1] : !temp
      %2 = arith.addf %0, %1 : f64
      stencil.return %2 : f64
    }
    stencil.store %b to %v(<[1, 1], [1023, 1023]>) : !temp to !field
  }
  return
}

// -----

// Without an axis, a tile is kept as a whole; what is stored and read again is
// in both places; what nobody needs is not computed.

// CHECK-LABEL: func @no_walk
// CHECK: memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NOT: math.sqrt
// CHECK: return
!row = !stencil.field<[-2,66]xf32>
!values = !stencil.temp<?xf32>
func.func @no_walk(%u: !row, %v: !row, %t: !row) {
  stencil.pipeline {
    %x = stencil.load %u : !row -> !values
    %a = stencil.apply(%p = %x : !values) -> (!values) {
      %0 = stencil.access %p[1] : !values
      stencil.return %0 : f32
    }
    %w = stencil.window shared %a : !values
    %b = stencil.apply(%p = %w : !values) -> (!values) {
      %0 = stencil.access %p[-1] : !values
      %1 = stencil.access %p[1] : !values
      %2 = arith.addf %0, %1 : f32
      stencil.return %2 : f32
    }
    %c = stencil.apply(%p = %x : !values) -> (!values) {
      %0 = stencil.access %p[0] : !values
      %1 = math.sqrt %0 : f32
      stencil.return %1 : f32
    }
    stencil.store %b to %v(<[0], [64]>) : !values to !row
    stencil.store %a to %t(<[0], [64]>) : !values to !row
  }
  return
}
