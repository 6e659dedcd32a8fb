// RUN: stencil-opt %s --stencil-fold-powers --split-input-file | FileCheck %s

// Rounded once: 10^-2 in f32 is not 1 / (10 * 10) by way of a product and a quotient of f32 only by luck.
// CHECK-LABEL: func @weights
func.func @weights() -> (f32, f64, f64, f16) {
  // CHECK-DAG: %[[A:.*]] = arith.constant 0.00999999977 : f32
  // CHECK-DAG: %[[B:.*]] = arith.constant -1.250000e-01 : f64
  // CHECK-DAG: %[[C:.*]] = arith.constant 1.000000e+00 : f64
  // CHECK-DAG: %[[D:.*]] = arith.constant 0x7C00 : f16
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  %ten = arith.constant 10.0 : f32
  %two = arith.constant -2.0 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %big = arith.constant 300.0 : f16
  %m2 = arith.constant -2 : i64
  %m3 = arith.constant -3 : i8
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %a = math.fpowi %ten, %m2 : f32, i64
  %b = math.fpowi %two, %m3 : f64, i8
  %c = math.fpowi %nan, %zero : f64, i32
  %d = math.fpowi %big, %c2 : f16, i32
  return %a, %b, %c, %d : f32, f64, f64, f16
}

// -----

// The smallest exponents, and the sign of zero.
// CHECK-LABEL: func @extremes
func.func @extremes() -> (f32, f32) {
  // CHECK-DAG: %[[A:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[B:.*]] = arith.constant 0xFF800000 : f32
  // CHECK: return %[[A]], %[[B]]
  %three = arith.constant 3.0 : f32
  %zero = arith.constant -0.0 : f32
  %least = arith.constant -2147483648 : i32
  %m3 = arith.constant -3 : i64
  %a = math.fpowi %three, %least : f32, i32
  %b = math.fpowi %zero, %m3 : f32, i64
  return %a, %b : f32, f32
}

// -----

// CHECK-LABEL: func @unknown
func.func @unknown(%x: f64, %n: i32) -> (f64, f64, f64) {
  // CHECK-COUNT-3: math.fpowi
  %two = arith.constant 2.0 : f64
  %c2 = arith.constant 2 : i32
  %most = arith.constant 9223372036854775807 : i64
  %a = math.fpowi %x, %c2 : f64, i32
  %b = math.fpowi %two, %n : f64, i32
  %c = math.fpowi %two, %most : f64, i64
  return %a, %b, %c : f64, f64, f64
}

// -----

// Exponents of 40 bits, the sign included, are folded, larger ones stay.
// CHECK-LABEL: func @limits
func.func @limits() -> (f64, f64, f64, f64) {
  // CHECK-DAG: %[[MINUS:.*]] = arith.constant -1.000000e+00 : f64
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
  // CHECK-DAG: %[[A:.*]] = math.fpowi %[[MINUS]], %c549755813888_i64
  // CHECK-DAG: %[[B:.*]] = math.fpowi %[[MINUS]], %c-549755813889_i64
  // CHECK: return %[[MINUS]], %[[A]], %[[ONE]], %[[B]]
  %base = arith.constant -1.0 : f64
  %most = arith.constant 549755813887 : i64
  %more = arith.constant 549755813888 : i64
  %least = arith.constant -549755813888 : i64
  %less = arith.constant -549755813889 : i64
  %a = math.fpowi %base, %most : f64, i64
  %b = math.fpowi %base, %more : f64, i64
  %c = math.fpowi %base, %least : f64, i64
  %d = math.fpowi %base, %less : f64, i64
  return %a, %b, %c, %d : f64, f64, f64, f64
}
