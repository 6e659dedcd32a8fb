// RUN: stencil-opt %s --stencil-relax-teams | FileCheck %s

// One barrier is enough, and one thread for one iteration.

// CHECK-LABEL: func @only_loop(
// CHECK-SAME: %[[N:.*]]: index, %[[STEP:.*]]: index
// CHECK: %[[ZERO:.*]] = arith.constant 0
// CHECK: %[[NEXT:.*]] = arith.addi %[[ZERO]], %[[STEP]]
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK: omp.parallel if(%[[MORE]])
// CHECK: omp.wsloop nowait
func.func @only_loop(%n: index, %step: index, %a: memref<?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%step) {
        memref.store %x, %a[%i] : memref<?xf64>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Any axis may have several.

// CHECK-LABEL: func @axes
// CHECK-COUNT-2: arith.cmpi slt
// CHECK: %[[ANY:.*]] = arith.ori
// CHECK: omp.parallel if(%[[ANY]])
func.func @axes(%n: index, %m: index, %a: memref<?x?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%zero, %zero) to (%n, %m) step (%one, %one) {
        memref.store %x, %a[%i, %j] : memref<?x?xf64>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// What follows the loop needs all of it.

// CHECK-LABEL: func @something_behind
// CHECK: omp.parallel {
// CHECK-NOT: nowait
func.func @something_behind(%n: index, %a: memref<?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        memref.store %x, %a[%i] : memref<?xf64>
        omp.yield
      }
    }
    memref.store %x, %a[%zero] : memref<?xf64>
    omp.terminator
  }
  return
}

// A team that does more is left alone.

// CHECK-LABEL: func @something_before
// CHECK: omp.parallel {
// CHECK-NOT: nowait
func.func @something_before(%n: index, %a: memref<?xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  omp.parallel {
    %one = arith.constant 1 : index
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        memref.store %x, %a[%i] : memref<?xf64>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
