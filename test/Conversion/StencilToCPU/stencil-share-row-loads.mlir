// Of what a block reads of a row, vectors that lie across two lines are made of
// the aligned ones.
// RUN: stencil-opt %s --stencil-share-row-loads --canonicalize --cse --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-share-row-loads=registers=0 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=KEPT

// What is used twice would have to stay in registers.
// KEPT-LABEL: func.func @star
// KEPT: vector.shuffle
// KEPT-LABEL: func.func @twice
// KEPT-NOT: vector.shuffle

// Three points of two vectors: two of the six are put together from the aligned
// ones. What is beside these nobody reads, so that the ends remain loads.
// CHECK-LABEL: func.func @star
// CHECK-SAME: (%[[U:.*]]: memref<?xf64>, %[[V:.*]]: memref<?xf64>, %[[I:.*]]: index)
// CHECK: %[[C0:.*]] = vector.load %[[U]][%[[I]]]
// CHECK: %[[C1:.*]] = vector.load %[[U]][%[[NEXT:.*]]] :
// CHECK-DAG: vector.shuffle %[[C0]], %[[C1]] [1, 2, 3, 4, 5, 6, 7, 8]
// CHECK-DAG: vector.shuffle %[[C0]], %[[C1]] [7, 8, 9, 10, 11, 12, 13, 14]
// CHECK-COUNT-2: vector.load %[[U]]
// CHECK-NOT: vector.load
func.func @star(%u: memref<?xf64>, %v: memref<?xf64>, %i: index) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %left = arith.subi %i, %c1 : index
  %right = arith.addi %i, %c1 : index
  %next = arith.addi %i, %c8 : index
  %next_left = arith.addi %i, %c7 : index
  %next_right = arith.addi %i, %c9 : index
  %a0 = vector.load %u[%left] : memref<?xf64>, vector<8xf64>
  %a1 = vector.load %u[%i] : memref<?xf64>, vector<8xf64>
  %a2 = vector.load %u[%right] : memref<?xf64>, vector<8xf64>
  %b0 = vector.load %u[%next_left] : memref<?xf64>, vector<8xf64>
  %b1 = vector.load %u[%next] : memref<?xf64>, vector<8xf64>
  %b2 = vector.load %u[%next_right] : memref<?xf64>, vector<8xf64>
  %a3 = arith.addf %a0, %a1 : vector<8xf64>
  %a4 = arith.addf %a3, %a2 : vector<8xf64>
  %b3 = arith.addf %b0, %b1 : vector<8xf64>
  %b4 = arith.addf %b3, %b2 : vector<8xf64>
  vector.store %a4, %v[%i] : memref<?xf64>, vector<8xf64>
  vector.store %b4, %v[%next] : memref<?xf64>, vector<8xf64>
  return
}

// -----

// What is stored says which ones are aligned: those of an odd offset here.
// CHECK-LABEL: func.func @aligned
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 4, 5, 6, 7, 8, 9]
// CHECK-NOT: vector.shuffle
func.func @aligned(%u: memref<?xf64>, %v: memref<?xf64>, %i: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %i1 = arith.addi %i, %c1 : index
  %i3 = arith.addi %i, %c3 : index
  %i9 = arith.addi %i, %c9 : index
  %i11 = arith.addi %i, %c11 : index
  %a = vector.load %u[%i1] : memref<?xf64>, vector<8xf64>
  %b = vector.load %u[%i3] : memref<?xf64>, vector<8xf64>
  %c = vector.load %u[%i9] : memref<?xf64>, vector<8xf64>
  %d = vector.load %u[%i11] : memref<?xf64>, vector<8xf64>
  %e = arith.addf %a, %b : vector<8xf64>
  %f = arith.addf %c, %d : vector<8xf64>
  vector.store %e, %v[%i1] : memref<?xf64>, vector<8xf64>
  vector.store %f, %v[%i9] : memref<?xf64>, vector<8xf64>
  return
}

// -----

// Rows of their own, other lengths than a line, and a store in between: none.
// CHECK-LABEL: func.func @none
// CHECK-NOT: vector.shuffle
func.func @none(%u: memref<?x?xf64>, %w: memref<?xf64>, %i: index, %j: index, %k: index) -> (vector<8xf64>, vector<4xf64>, vector<8xf64>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.addi %k, %c1 : index
  %k4 = arith.addi %k, %c4 : index
  %k8 = arith.addi %k, %c8 : index
  %a = vector.load %u[%i, %k] : memref<?x?xf64>, vector<8xf64>
  %b = vector.load %u[%i, %k1] : memref<?x?xf64>, vector<8xf64>
  %c = vector.load %u[%j, %k8] : memref<?x?xf64>, vector<8xf64>
  %ab = arith.addf %a, %b : vector<8xf64>
  %abc = arith.addf %ab, %c : vector<8xf64>
  %d = vector.load %w[%k] : memref<?xf64>, vector<4xf64>
  %e = vector.load %w[%k1] : memref<?xf64>, vector<4xf64>
  %f = vector.load %w[%k4] : memref<?xf64>, vector<4xf64>
  %de = arith.addf %d, %e : vector<4xf64>
  %def = arith.addf %de, %f : vector<4xf64>
  %g = vector.load %w[%k] : memref<?xf64>, vector<8xf64>
  %h = vector.load %w[%k1] : memref<?xf64>, vector<8xf64>
  vector.store %abc, %w[%k] : memref<?xf64>, vector<8xf64>
  %l = vector.load %w[%k8] : memref<?xf64>, vector<8xf64>
  %gh = arith.addf %g, %h : vector<8xf64>
  %ghl = arith.addf %gh, %l : vector<8xf64>
  return %abc, %def, %ghl : vector<8xf64>, vector<4xf64>, vector<8xf64>
}

// -----

// CHECK-LABEL: func.func @twice
// CHECK: vector.shuffle
func.func @twice(%u: memref<?xf64>, %v: memref<?xf64>, %i: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %i1 = arith.addi %i, %c1 : index
  %i2 = arith.addi %i, %c2 : index
  %i8 = arith.addi %i, %c8 : index
  %a = vector.load %u[%i] : memref<?xf64>, vector<8xf64>
  %b = vector.load %u[%i1] : memref<?xf64>, vector<8xf64>
  %c = vector.load %u[%i2] : memref<?xf64>, vector<8xf64>
  %d = vector.load %u[%i8] : memref<?xf64>, vector<8xf64>
  %e = arith.addf %a, %b : vector<8xf64>
  %f = arith.mulf %b, %c : vector<8xf64>
  %g = arith.addf %e, %f : vector<8xf64>
  %h = arith.addf %g, %d : vector<8xf64>
  vector.store %h, %v[%i] : memref<?xf64>, vector<8xf64>
  return
}

// -----

// One of three: it does not pay.
// CHECK-LABEL: func.func @few
// CHECK-NOT: vector.shuffle
func.func @few(%u: memref<?xf64>, %v: memref<?xf64>, %i: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %i1 = arith.addi %i, %c1 : index
  %i8 = arith.addi %i, %c8 : index
  %a = vector.load %u[%i] : memref<?xf64>, vector<8xf64>
  %b = vector.load %u[%i1] : memref<?xf64>, vector<8xf64>
  %c = vector.load %u[%i8] : memref<?xf64>, vector<8xf64>
  %d = arith.addf %a, %b : vector<8xf64>
  %e = arith.addf %d, %c : vector<8xf64>
  vector.store %e, %v[%i] : memref<?xf64>, vector<8xf64>
  return
}
