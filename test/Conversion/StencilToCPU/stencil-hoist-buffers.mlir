// RUN: stencil-opt %s --stencil-hoist-buffers | FileCheck %s
// RUN: stencil-opt %S/../../../examples/heat2d.mlir --stencil-to-cpu="threads=4 vector-bits=256 schedule='#stencil.schedule<time = 3>'" --mlir-print-ir-after=stencil-hoist-buffers -o %t 2>&1 | FileCheck %s --check-prefix=WALK

// Of a loop over steps of the whole pipeline, also for open extents: memory is
// allocated before it, and given back behind it.

// WALK-LABEL: func.func @heat2d
// WALK-COUNT-2: memref.alloc({{.*}}) {alignment = 64 : i64} : memref<4x?xf64>
// WALK-NOT: memref.alloc
// WALK: scf.for
// WALK-NOT: memref.alloc
// WALK-NOT: memref.dealloc
// WALK: scf.parallel
// WALK: memref.load %{{.*}} : memref<4xmemref<4x?xf64>>
// WALK-NOT: memref.alloc
// WALK-NOT: memref.dealloc
// WALK: llvm.fence
// WALK: memref.dealloc

// Each thread allocates its own, before the outermost loop. What divides is not
// zero where nobody would have divided.

// CHECK-LABEL: func @in_loops
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index, %[[STEPS:.*]]: index, %[[X:.*]]: f64)
// CHECK: %[[TABLE:.*]] = memref.alloc() : memref<4xmemref<4x?xf64>>
// CHECK: %[[DIVISOR:.*]] = arith.maxui %[[M]]
// CHECK: %[[SIZE:.*]] = arith.divui %[[N]], %[[DIVISOR]]
// CHECK: scf.parallel (%[[T:.*]]) = (%{{.*}}) to (%{{.*}})
// CHECK: %[[OWN:.*]] = memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<4x?xf64>
// CHECK: memref.store %[[OWN]], %[[TABLE]][%[[T]]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.parallel (%[[T:.*]]) = (%{{.*}}) to (%{{.*}})
// CHECK-NOT: memref.alloc
// CHECK: %[[MINE:.*]] = memref.load %[[TABLE]][%[[T]]]
// CHECK: memref.store %[[X]], %[[MINE]]
// CHECK-NOT: memref.dealloc
// CHECK: scf.for %[[T:.*]] = %{{.*}} to
// CHECK: %[[OWN:.*]] = memref.load %[[TABLE]][%[[T]]]
// CHECK: memref.dealloc %[[OWN]]
// CHECK: memref.dealloc %[[TABLE]]
func.func @in_loops(%n: index, %m: index, %steps: index, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %threads = arith.constant 4 : index
  scf.for %i = %zero to %steps step %one {
    scf.for %j = %zero to %steps step %one {
      scf.parallel (%t) = (%zero) to (%threads) step (%one) {
        %size = arith.divui %n, %m : index
        %works = arith.cmpi ult, %t, %n : index
        scf.if %works {
          %own = memref.alloc(%size) {alignment = 64 : i64} : memref<4x?xf64>
          memref.store %x, %own[%zero, %zero] : memref<4x?xf64>
          memref.dealloc %own : memref<4x?xf64>
        }
      }
    }
  }
  return
}

// Its size is another one in each step; a thread has many; somebody keeps it; a
// loop of each thread, not of steps; no loop.

// CHECK-LABEL: func @as_they_are
// CHECK: scf.for
// CHECK: memref.alloc(
// CHECK: memref.alloc()
// CHECK: memref.alloc()
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloc()
func.func @as_they_are(%steps: index, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %threads = arith.constant 4 : index
  scf.for %i = %zero to %steps step %one {
    scf.parallel (%t) = (%zero) to (%threads) step (%one) {
      %own = memref.alloc(%i) : memref<?xf64>
      memref.store %x, %own[%zero] : memref<?xf64>
      memref.dealloc %own : memref<?xf64>
      scf.for %j = %zero to %threads step %one {
        %many = memref.alloc() : memref<8xf64>
        memref.store %x, %many[%zero] : memref<8xf64>
        memref.dealloc %many : memref<8xf64>
      }
      %kept = memref.alloc() : memref<8xf64>
      %view = memref.cast %kept : memref<8xf64> to memref<?xf64>
      memref.store %x, %view[%zero] : memref<?xf64>
      memref.dealloc %kept : memref<8xf64>
    }
  }
  scf.parallel (%t) = (%zero) to (%threads) step (%one) {
    %own = memref.alloc() : memref<8xf64>
    memref.store %x, %own[%zero] : memref<8xf64>
    memref.dealloc %own : memref<8xf64>
  }
  return
}
