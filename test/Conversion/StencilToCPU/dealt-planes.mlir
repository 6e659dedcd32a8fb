// RUN: stencil-opt %s --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// A share of two threads is half of 1024 rows, in pieces of 100 and more. A thread takes those of its own, and then the other's. What is counted
// lies on the stack, once, on a line for each.

// CHECK-LABEL: func @dealt
// CHECK: %[[TAKEN:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xi64>
// CHECK: scf.for %[[STEP:.*]] = %c0 to %arg2
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: memref.store %c0_i64, %[[TAKEN]]
// CHECK: scf.parallel (%[[THREAD:.*]]) = (%c0) to (%c2)
// CHECK: memref.alloc()
// CHECK: scf.for %[[OTHER:.*]] = %c0 to %c2
// CHECK: %[[SUM:.*]] = arith.addi %[[THREAD]], %[[OTHER]]
// CHECK-NEXT: %[[SHARE:.*]] = arith.remui %[[SUM]], %c2
// CHECK-NEXT: %[[PLACE:.*]] = arith.muli %[[SHARE]], %c8
// CHECK: scf.while
// CHECK-NEXT: %[[NUMBER:.*]] = memref.atomic_rmw addi %c1_i64, %[[TAKEN]][%[[PLACE]]]
// CHECK: arith.cmpi slt, %{{.*}}, %c5
// CHECK: %[[BEFORE:.*]] = arith.muli %[[SHARE]], %c5
// CHECK: vector.store
// CHECK: memref.dealloc
!f = !stencil.field<[-1,1025]x[-1,1025]xf64>
!t = !stencil.temp<?x?xf64>
func.func @dealt(%u: !f, %v: !f, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    stencil.pipeline axis 0 attributes {stencil.cpu_loops = #stencil.cpu_loops<threads = 2, tile = [0, 0], deal = 100>} {
      %x = stencil.load %u : !f -> !t
      %a = stencil.apply(%p = %x : !t) -> (!t) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4>, stencil.stage = #stencil.stage<lead = 1>} {
        %0 = stencil.access %p[0, 1] : !t
        stencil.return %0 : f64
      }
      %w = stencil.window shared %a depth 3 lead 1 : !t
      %b = stencil.apply(%p = %w : !t) -> (!t) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4>, stencil.stage = #stencil.stage<lead = 0>} {
        %0 = stencil.access %p[-1, 0] : !t
        %1 = stencil.access %p[1, 0] : !t
        %2 = arith.addf %0, %1 : f64
        stencil.return %2 : f64
      }
      stencil.store %b to %v(<[0, 0], [1024, 1024]>) : !t to !f
    }
  }
  return
}

// -----

// Each has its share; and one thread all.

// CHECK-LABEL: func @shares
// CHECK-NOT: atomic_rmw
!f = !stencil.field<[-1,1025]x[-1,1025]xf64>
!t = !stencil.temp<?x?xf64>
func.func @shares(%u: !f, %v: !f) {
  stencil.pipeline axis 0 attributes {stencil.cpu_loops = #stencil.cpu_loops<threads = 2>} {
    %x = stencil.load %u : !f -> !t
    %a = stencil.apply(%p = %x : !t) -> (!t) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[0, 1] : !t
      stencil.return %0 : f64
    }
    stencil.store %a to %v(<[0, 0], [1024, 1024]>) : !t to !f
  }
  stencil.pipeline axis 0 attributes {stencil.cpu_loops = #stencil.cpu_loops<threads = 1, deal = 100>} {
    %x = stencil.load %v : !f -> !t
    %a = stencil.apply(%p = %x : !t) -> (!t) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[0, 1] : !t
      stencil.return %0 : f64
    }
    stencil.store %a to %u(<[0, 0], [1024, 1024]>) : !t to !f
  }
  return
}
