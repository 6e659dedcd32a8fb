// RUN: stencil-opt %s --stencil-deal-tiles | FileCheck %s
// RUN: stencil-opt %s --stencil-deal-tiles --convert-scf-to-openmp | FileCheck %s --check-prefix=ALL
// RUN: stencil-opt %S/../../../benchmarks/kernels/brick_star25p.mlir --stencil-to-cpu="threads=4 vector-bits=256 schedule=default" --mlir-print-ir-after=stencil-relax-teams -o %t 2>&1 | FileCheck %s --check-prefix=WHOLE

// Threads take two tiles at a time, their own share first.

// CHECK-LABEL: func @dealt
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index, %[[U:.*]]: memref<?x?xf64>)
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: omp.parallel {
// CHECK-NEXT: omp.wsloop schedule(dynamic = %[[TWO]] : i64, nonmonotonic) {
// CHECK-NEXT: omp.loop_nest (%[[I:.*]], %[[J:.*]]) : index = (%{{.*}}, %{{.*}}) to (%[[N]], %[[M]]) step (%{{.*}}, %{{.*}}) collapse(2) {
// CHECK: memref.store %{{.*}}, %[[U]][%[[I]], %[[J]]]
// CHECK: omp.yield
// CHECK: omp.terminator
// ALL-LABEL: func @dealt
// ALL-NOT: scf.parallel
func.func @dealt(%n: index, %m: index, %u: memref<?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  scf.parallel (%i, %j) = (%zero, %zero) to (%n, %m) step (%one, %one) {
    memref.store %x, %u[%i, %j] : memref<?x?xf64>
  } {stencil.deal = 2 : i64}
  return
}



// Each thread has its share; a fold of all iterations, too.

// CHECK-LABEL: func @shares
// CHECK-NOT: omp
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK-LABEL: func @after
// ALL-LABEL: func @shares
// ALL-NOT: dynamic
// ALL-LABEL: func @after
func.func @shares(%n: index, %u: memref<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = arith.constant 0.0 : f64
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    memref.store %x, %u[%i] : memref<?xf64>
  }
  %sum = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%x) -> f64 {
    %y = memref.load %u[%i] : memref<?xf64>
    scf.reduce(%y : f64) {
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      scf.reduce.return %c : f64
    }
  } {stencil.deal = 1 : i64}
  return %sum : f64
}

func.func @after() {
  return
}

// Of a program that may exceed the caches, what is written around them is dealt;
// the threads of the team wait for each other once.

// WHOLE-LABEL: func.func @brick_star25p
// WHOLE: omp.wsloop nowait schedule(dynamic = %{{.*}} : i64, nonmonotonic)
// WHOLE: nontemporal = true
// WHOLE: omp.wsloop nowait {
// WHOLE-NOT: nontemporal = true
