// RUN: stencil-opt %s --stencil-lower-scalar-math --split-input-file | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: stencil-opt %s --stencil-lower-scalar-math=device=1 --split-input-file | FileCheck %s --check-prefixes=CHECK,DEVICE

// CHECK-LABEL: func @extrema
func.func @extrema(%x: f32, %y: f32, %v: vector<4xf64>, %w: vector<4xf64>) -> (f32, vector<4xf64>) {
  // LLVM has it right.
  // CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nnan> : f32
  %0 = arith.maximumf %x, %y fastmath<nnan> : f32
  // CHECK: llvm.call_intrinsic "llvm.minimumnum"(%{{.*}}, %{{.*}}) {fastmathFlags = #llvm.fastmath<contract>} : (vector<4xf64>, vector<4xf64>)
  %1 = arith.minnumf %v, %w fastmath<contract> : vector<4xf64>
  return %0, %1 : f32, vector<4xf64>
}

// -----

// CHECK-LABEL: func @tests
// CHECK-SAME: %[[X:.*]]: f32
func.func @tests(%x: f32) -> (i1, i1, i1, i1) {
  // CHECK-DAG: arith.cmpf uno, %[[X]], %[[X]]
  %0 = math.isnan %x : f32
  // CHECK-DAG: %[[INFINITY:.*]] = arith.constant 0x7F800000 : f32
  // CHECK-DAG: %[[SIZE:.*]] = math.absf %[[X]]
  // CHECK-DAG: arith.cmpf oeq, %[[SIZE]], %[[INFINITY]]
  %1 = math.isinf %x : f32
  // CHECK-DAG: arith.cmpf olt, %{{.*}}, %{{.*}}
  %2 = math.isfinite %x : f32
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant 1.17549435E-38 : f32
  // CHECK: arith.cmpf oge, %{{.*}}, %[[LEAST]]
  // CHECK: arith.cmpf olt
  // CHECK: arith.andi
  %3 = math.isnormal %x : f32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// -----

// CHECK-LABEL: func @powers
func.func @powers(%i: i32, %x: f32, %n: i32) -> (i32, i32, f32, f32) {
  %c5 = arith.constant 5 : i32
  // CHECK: %[[SQUARE:.*]] = arith.muli %[[I:.*]], %[[I]]
  // CHECK: %[[FOURTH:.*]] = arith.muli %[[SQUARE]], %[[SQUARE]]
  // CHECK: arith.muli %[[I]], %[[FOURTH]]
  %0 = math.ipowi %i, %c5 : i32
  // CHECK: scf.for %{{.*}} = %c0 to %c32
  %1 = math.ipowi %i, %n : i32
  // CHECK-COUNT-3: arith.mulf
  %2 = math.fpowi %x, %c5 : f32, i32
  // HOST: math.powf %{{.*}}, %{{.*}} : f64
  // HOST: math.copysign
  // DEVICE: math.fpowi
  %3 = math.fpowi %x, %n : f32, i32
  return %0, %1, %2, %3 : i32, i32, f32, f32
}

// -----

// CHECK-LABEL: func @gaps
func.func @gaps(%x: f64) -> (f64, f64, i1) {
  // HOST: math.sincos
  // DEVICE: math.sin
  // DEVICE: math.cos
  %0, %1 = math.sincos %x : f64
  // DEVICE: arith.fptosi %{{.*}} : f64 to i32
  // DEVICE: arith.trunci
  %2 = arith.fptosi %x : f64 to i1
  return %0, %1, %2 : f64, f64, i1
}

// -----

// A host rounds by integers; a GPU has instructions.
// CHECK-LABEL: func @brains
func.func @brains(%x: vector<8xbf16>) -> vector<8xbf16> {
  // HOST: arith.addf %{{.*}}, %{{.*}} : vector<8xf32>
  // HOST: arith.shrui
  // HOST-NOT: arith.truncf
  // DEVICE: arith.addf %{{.*}}, %{{.*}} : vector<8xbf16>
  %0 = arith.addf %x, %x : vector<8xbf16>
  return %0 : vector<8xbf16>
}

// -----

// log(1 + x) would be 0 for a small x.
// CHECK-LABEL: func @small
func.func @small(%x: f64) -> f64 {
  // HOST: call @log1p
  // DEVICE: math.log1p
  %0 = math.log1p %x : f64
  return %0 : f64
}
