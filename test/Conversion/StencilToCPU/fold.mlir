// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s
// A vector of one element is none.
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=64" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=NARROW
// NARROW-LABEL: func @sum
// NARROW-NOT: vector<2xf64>
// NARROW: return

// Slices on threads, their results in order: the sum does not depend on the
// number of threads. f32 is summed in f64.

// CHECK-LABEL: func @sum
// CHECK: scf.parallel
// CHECK: arith.extf %{{.*}} : vector<4xf32> to vector<4xf64>
// CHECK: vector.reduction <add>
// CHECK: memref.store %{{.*}}, %[[PARTIAL:.*]][
// CHECK: memref.load %[[PARTIAL]]
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @sum(%f: !stencil.field<[0,8]x[0,8]xf32>) -> f32 {
  %s = stencil.fold %f(<[0, 0], [8, 8]>) sum : !stencil.field<[0,8]x[0,8]xf32>
  return %s : f32
}

// -----

// NaN propagates.

// CHECK-LABEL: func @max
// CHECK: arith.maximumf
func.func @max(%f: !stencil.field<[0,8]xf64>) -> f64 {
  %s = stencil.fold %f(<[0], [8]>) max : !stencil.field<[0,8]xf64>
  return %s : f64
}

// -----

// The largest length is the root of the largest square.

// CHECK-LABEL: func @length
// CHECK-NOT: math.sqrt
// CHECK: vector.reduction <maximumf>
// CHECK-NOT: math.sqrt
// CHECK: memref.dealloc
// CHECK: math.sqrt
func.func @length(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) -> f64 {
  %s = stencil.fold %u, %v(<[0], [8]>) max : !stencil.field<[0,8]xf64>, !stencil.field<[0,8]xf64>
  return %s : f64
}
