// RUN: stencil-opt %s -cse -split-input-file | FileCheck %s

// CHECK-LABEL: @body
func.func @body(%a: !stencil.temp<?xf64>) -> !stencil.temp<?xf64> {
  %r = stencil.apply(%x = %a : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // CHECK: %[[U:.*]] = stencil.access %{{.*}}[1]
    // CHECK-NEXT: %[[I:.*]] = stencil.index
    // CHECK-NEXT: %[[W:.*]] = stencil.dyn_access %{{.*}}[%[[I]]]
    // CHECK-NEXT: arith.addf %[[U]], %[[U]]
    // CHECK-NEXT: arith.addf %[[W]], %[[W]]
    %u = stencil.access %x[1] : !stencil.temp<?xf64>
    %v = stencil.access %x[1] : !stencil.temp<?xf64>
    %i = stencil.index 0 <[0]>
    %j = stencil.index 0 <[0]>
    %w = stencil.dyn_access %x[%i] in <[0]> : <[0]> : !stencil.temp<?xf64>
    %z = stencil.dyn_access %x[%j] in <[0]> : <[0]> : !stencil.temp<?xf64>
    %s = arith.addf %u, %v : f64
    %t = arith.addf %w, %z : f64
    %q = arith.addf %s, %t : f64
    stencil.return %q : f64
  }
  return %r : !stencil.temp<?xf64>
}

// -----

// Two applies are one if they do the same.
// CHECK-LABEL: @applies
func.func @applies(%a: !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
  // CHECK: %[[R:.*]] = stencil.apply
  // CHECK-NOT: stencil.apply
  %r = stencil.apply(%x = %a : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %u = stencil.access %x[1] : !stencil.temp<?xf64>
    stencil.return %u : f64
  }
  %s = stencil.apply(%x = %a : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %u = stencil.access %x[1] : !stencil.temp<?xf64>
    stencil.return %u : f64
  }
  // CHECK: return %[[R]], %[[R]]
  return %r, %s : !stencil.temp<?xf64>, !stencil.temp<?xf64>
}

// -----

// A load is a snapshot: two of them are one only if nothing is stored between.
// CHECK-LABEL: @loads
func.func @loads(%f: !stencil.field<[0,8]xf64>) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
  // CHECK: %[[A:.*]] = stencil.load
  // CHECK-NEXT: stencil.store
  // CHECK-NEXT: %[[C:.*]] = stencil.load
  // CHECK-NEXT: return %[[A]], %[[A]], %[[C]]
  %a = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  %b = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  stencil.store %a to %f(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  %c = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  return %a, %b, %c : !stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>
}

// -----

// The same for applies that read a field, and for folds of one.
// CHECK-LABEL: @fields
func.func @fields(%f: !stencil.field<[0,8]xf64>) -> (f64, f64) {
  // CHECK: stencil.fold
  %m = stencil.fold %f(<[0], [8]>) max : !stencil.field<[0,8]xf64>
  // CHECK-NEXT: stencil.boundary
  stencil.boundary %f(<[1], [7]>) [#stencil.periodic] : !stencil.field<[0,8]xf64>
  // CHECK-NEXT: stencil.fold
  %n = stencil.fold %f(<[0], [8]>) max : !stencil.field<[0,8]xf64>
  return %m, %n : f64, f64
}
