// A time loop in diamonds: rows of them, those of a row on threads, tiles of a diamond, steps, and the rows of a tile.
// RUN: stencil-opt %s --stencil-shape-loops="threads=4 own-cache-bytes=1048576 vector-bits=512" | FileCheck %s --check-prefix=SHAPE
// RUN: stencil-opt %s --stencil-shape-loops="threads=4 deal=0" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s --stencil-shape-loops="threads=4" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=DEALT
// RUN: stencil-opt %s --convert-stencil-to-cpu | FileCheck %s --check-prefix=PLAIN
// RUN: stencil-opt %s --stencil-count-steps --convert-stencil-to-cpu --canonicalize | FileCheck %s --check-prefix=COUNT
// RUN: stencil-opt %s --stencil-count-steps --stencil-shape-loops="threads=4" --convert-stencil-to-cpu --canonicalize | FileCheck %s --check-prefix=BYROW

!field = !stencil.field<[-1,65]x[-2,66]x[0,64]xf64>

// Threads and the cache are the loop's, vectors the apply's.
// SHAPE: stencil.apply
// SHAPE-SAME: stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, columns = 4>
// SHAPE: } {stencil.cpu_loops = #stencil.cpu_loops<threads = 4, cache = 524288, deal = 1>, stencil.diamonds

// Of 8 steps a diamond is 4 high on either side, and 8 planes wide: it moves by one plane for each step, a tile by two.
// CHECK-LABEL: func.func @swap
// CHECK: scf.for %[[ROW:.*]] = %c0{{.*}} to
// Who is done with a diamond takes the next one.
// CHECK: memref.store %c0_i64
// CHECK: scf.parallel
// CHECK: scf.while
// CHECK-NEXT: %[[NEXT:.*]] = memref.atomic_rmw addi %c1_i64
// CHECK: scf.condition
// CHECK: arith.muli %{{.*}}, %c8
// CHECK: scf.if
// CHECK: scf.for {{.*}} step %c16
// CHECK: scf.for %{{.*}} iter_args(%[[FROM:.*]] = %arg0, %[[TO:.*]] = %arg1)
// CHECK: vector.load %[[FROM]]
// CHECK: vector.store %{{.*}}, %[[TO]]
// CHECK: scf.yield %[[TO]], %[[FROM]]
// After an odd number of steps the fields have changed places.
// CHECK: arith.remui %{{.*}}, %c2
// CHECK: return

// The diamonds of all rows are taken one after the other: nine of a row here. One begins when those at its lower sides are done, which are those of
// its number in the row before and of the one beside it.
// DEALT-LABEL: func.func @swap
// DEALT: %[[TAKEN:.*]] = memref.alloc() {{.*}} : memref<1xi64>
// DEALT: %[[DONE:.*]] = memref.alloc() {{.*}} : memref<72xi64>
// DEALT: scf.for
// DEALT: memref.store %c0_i64, %[[DONE]]
// DEALT: scf.parallel (%{{.*}}) = (%c0) to (%c9)
// DEALT: scf.while
// DEALT-NEXT: memref.atomic_rmw addi %c1_i64, %[[TAKEN]]
// DEALT: %[[ROW:.*]] = arith.divui %[[NUMBER:.*]], %c9
// DEALT: %[[PLACE:.*]] = arith.remui %[[NUMBER]], %c9
// DEALT: %[[SIDE:.*]] = arith.remui %[[ROW]], %c2
// DEALT: %[[RIGHT:.*]] = arith.addi %[[PLACE]], %[[SIDE]]
// DEALT: %[[LEFT:.*]] = arith.addi %[[RIGHT]], %c-1
// DEALT: %[[FIRST:.*]] = arith.maxsi %[[LEFT]], %c0
// DEALT: scf.while
// DEALT: %[[LINE:.*]] = arith.muli %[[FIRST]], %c8
// DEALT: %[[SEEN:.*]] = memref.atomic_rmw ori %c0_i64, %[[DONE]][%[[LINE]]]
// DEALT: %[[ROWS:.*]] = arith.index_cast %[[SEEN]] : i64 to index
// DEALT: %[[BELOW:.*]] = arith.cmpi slt, %[[ROWS]], %[[ROW]]
// DEALT: scf.condition(%[[BELOW]])
// DEALT: llvm.call @sched_yield()
// DEALT: %[[SECOND:.*]] = arith.minsi %[[RIGHT]], %c8
// DEALT: scf.while
// DEALT: memref.atomic_rmw ori %c0_i64, %[[DONE]]
// DEALT: vector.store
// DEALT: memref.atomic_rmw assign %{{.*}}, %[[DONE]]
// DEALT-NOT: vector.store
// DEALT: memref.dealloc %[[DONE]]
// DEALT: memref.dealloc %[[TAKEN]]

// What says how far it is goes on row by row.
// BYROW: scf.for
// BYROW: scf.parallel
// BYROW-NOT: sched_yield
// BYROW: llvm.call @stencilCountSteps

// How far it is, a row of diamonds says: half of their steps are over, less in the first one and the last.
// COUNT: llvm.call @stencilBeginSteps
// COUNT: scf.for %[[ROW:.*]] = %c0
// COUNT: memref.store %{{.*}} : memref<66x68x64xf64>
// COUNT-NOT: llvm.call
// COUNT: %[[BEFORE:.*]] = arith.minsi
// COUNT: %[[DONE:.*]] = arith.minsi
// COUNT: %[[MORE:.*]] = arith.subi %[[DONE]], %[[BEFORE]]
// COUNT: %[[STEPS:.*]] = arith.index_cast %[[MORE]] : index to i64
// COUNT-NEXT: llvm.call @stencilCountSteps(%[[STEPS]])
// COUNT-NEXT: }
// COUNT-NOT: stencilCountSteps
// COUNT: llvm.call @stencilEndSteps

// One thread needs no parallel loop, and shares nothing.
// PLAIN-NOT: scf.parallel
// PLAIN-NOT: memref.atomic_rmw
func.func @swap(%a: !field, %b: !field, %n: index) -> (!field, !field) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %p = stencil.access %x[-1, 0, 0] : !field
      %q = stencil.access %x[0, 2, 0] : !field
      %s = arith.addf %p, %q : f64
      stencil.return %s : f64
    } to <[0, 0, 0], [64, 64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7, tile = 16>}
  return %r#0, %r#1 : !field, !field
}

// A pipeline is one phase, as far-reaching as all of its stages: of seven steps a diamond is 16 planes wide, as it reads two planes away.
// Each of those who share diamonds has two rows of what the first stage makes; a box without points has none around it.
// CHECK-LABEL: func.func @chain
// CHECK: %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x2x{{[0-9]+}}xf64>
// CHECK: scf.parallel (%[[SHARER:.*]]) = (%c0) to (%c4)
// CHECK: arith.muli %{{.*}}, %c16
// CHECK: scf.if
// CHECK: %[[KEPT:.*]] = memref.subview %[[ALL]][%[[SHARER]], 0, 0] [1, 2, {{[0-9]+}}]
// CHECK: scf.for {{.*}} step %c20
// CHECK: scf.for %{{.*}} iter_args(%[[FROM:.*]] = %arg0, %[[TO:.*]] = %arg1)
// CHECK: %[[ROWS:.*]] = arith.cmpi slt
// CHECK: %[[COLUMNS:.*]] = arith.cmpi slt
// CHECK: %[[ANY:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]]
// CHECK: scf.if %[[ANY]]
// CHECK: vector.load %[[FROM]]
// CHECK: vector.store %{{.*}}, %[[KEPT]]
// CHECK: vector.load %[[KEPT]]
// CHECK: vector.store %{{.*}}, %[[TO]]
// CHECK: memref.dealloc %[[ALL]]
!plane = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @chain(%a: !plane, %b: !plane, %n: index) -> (!plane, !plane) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    stencil.pipeline axis 0 {
      %x = stencil.load %u : !plane -> !temp
      %m = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
        %0 = stencil.access %p[1, 0] : !temp
        stencil.return %0 : f64
      }
      %w = stencil.window shared %m depth 2 lead 1 : !temp
      %o = stencil.apply(%p = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %0 = stencil.access %p[1, 1] : !temp
        %1 = stencil.access %p[0, 0] : !temp
        %2 = arith.addf %0, %1 : f64
        stencil.return %2 : f64
      }
      stencil.store %o to %v(<[0, 0], [64, 64]>) : !temp to !plane
    }
    scf.yield %v, %u : !plane, !plane
  } {stencil.diamonds = #stencil.diamonds<steps = 7, tile = 20>}
  return %r#0, %r#1 : !plane, !plane
}
