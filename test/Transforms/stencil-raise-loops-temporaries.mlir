// An array that only hands values from one apply to the next is none any more; where it may be more than that, it stays.
// RUN: stencil-opt %s --stencil-raise-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-NOT:     memref.alloc
// CHECK:         %[[A:.*]] = stencil.apply
// CHECK:         %[[B:.*]] = stencil.apply(%{{.*}} = %[[A]] :
// CHECK:         stencil.store %[[B]] to
// CHECK-NOT:     memref.dealloc
func.func @chain(%u: memref<64xf64>, %v: memref<64xf64>) {
  %m = memref.alloc() : memref<64xf64>
  affine.for %i = 0 to 64 {
    %0 = affine.load %u[%i] : memref<64xf64>
    %1 = arith.negf %0 : f64
    affine.store %1, %m[%i] : memref<64xf64>
  }
  affine.for %i = 1 to 63 {
    %0 = affine.load %m[%i - 1] : memref<64xf64>
    %1 = affine.load %m[%i + 1] : memref<64xf64>
    %2 = arith.addf %0, %1 : f64
    affine.store %2, %v[%i] : memref<64xf64>
  }
  memref.dealloc %m : memref<64xf64>
  return
}

// The ends are what they were.
// CHECK-LABEL: func.func @in_part(
// CHECK:         memref.alloc
// CHECK:         memref.dealloc
func.func @in_part(%u: memref<64xf64>, %v: memref<64xf64>) {
  %m = memref.alloc() : memref<64xf64>
  affine.for %i = 1 to 63 {
    %0 = affine.load %u[%i] : memref<64xf64>
    affine.store %0, %m[%i] : memref<64xf64>
  }
  affine.for %i = 0 to 64 {
    %0 = affine.load %m[%i] : memref<64xf64>
    affine.store %0, %v[%i] : memref<64xf64>
  }
  memref.dealloc %m : memref<64xf64>
  return
}

// What a step stores, the next one loads.
// CHECK-LABEL: func.func @from_step_to_step(
// CHECK:         memref.alloc
// CHECK:         scf.for
// CHECK:           stencil.load
// CHECK:           stencil.store
// CHECK:           stencil.load
// CHECK:           stencil.store
func.func @from_step_to_step(%u: memref<64xf64>, %v: memref<64xf64>, %n: index) {
  %m = memref.alloc() : memref<64xf64>
  affine.for %t = 0 to %n {
    affine.for %i = 0 to 64 {
      %0 = affine.load %m[%i] : memref<64xf64>
      affine.store %0, %v[%i] : memref<64xf64>
    }
    affine.for %i = 0 to 64 {
      %0 = affine.load %u[%i] : memref<64xf64>
      affine.store %0, %m[%i] : memref<64xf64>
    }
  }
  memref.dealloc %m : memref<64xf64>
  return
}

// CHECK-LABEL: func.func @in_a_branch(
// CHECK:         memref.alloc
// CHECK:         scf.if
// CHECK:           stencil.store
func.func @in_a_branch(%u: memref<64xf64>, %v: memref<64xf64>, %c: i1) {
  %m = memref.alloc() : memref<64xf64>
  affine.for %i = 0 to 64 {
    %0 = affine.load %u[%i] : memref<64xf64>
    affine.store %0, %m[%i] : memref<64xf64>
  }
  scf.if %c {
    affine.for %i = 0 to 64 {
      %0 = affine.load %v[%i] : memref<64xf64>
      affine.store %0, %m[%i] : memref<64xf64>
    }
  }
  affine.for %i = 0 to 64 {
    %0 = affine.load %m[%i] : memref<64xf64>
    affine.store %0, %v[%i] : memref<64xf64>
  }
  memref.dealloc %m : memref<64xf64>
  return
}

// CHECK-LABEL: func.func @returned(
// CHECK:         %[[M:.*]] = memref.alloc
// CHECK:         return %[[M]]
func.func @returned(%u: memref<64xf64>, %v: memref<64xf64>) -> memref<64xf64> {
  %m = memref.alloc() : memref<64xf64>
  affine.for %i = 0 to 64 {
    %0 = affine.load %u[%i] : memref<64xf64>
    affine.store %0, %m[%i] : memref<64xf64>
  }
  affine.for %i = 0 to 64 {
    %0 = affine.load %m[%i] : memref<64xf64>
    affine.store %0, %v[%i] : memref<64xf64>
  }
  return %m : memref<64xf64>
}

// The coordinates of what the caller sees, although more points of the temporary array are computed.
// CHECK-LABEL: func.func @halo(
// CHECK-COUNT-2: stencil.external_load {{.*}} -> !stencil.field<[-2,66]xf64>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[A:.*]] = stencil.apply
// CHECK:           stencil.access %{{.*}}[-1]
// CHECK:           stencil.access %{{.*}}[1]
// CHECK:         stencil.apply(%{{.*}} = %[[A]] :
// CHECK:           stencil.access %{{.*}}[-1]
// CHECK:           stencil.access %{{.*}}[1]
// CHECK:         stencil.store %{{.*}}(<[0], [64]>) : {{.*}} to !stencil.field<[-2,66]xf64>
func.func @halo(%u: memref<68xf64>, %v: memref<68xf64>) {
  %m = memref.alloc() : memref<66xf64>
  affine.for %i = 0 to 66 {
    %0 = affine.load %u[%i] : memref<68xf64>
    %1 = affine.load %u[%i + 2] : memref<68xf64>
    %2 = arith.addf %0, %1 : f64
    affine.store %2, %m[%i] : memref<66xf64>
  }
  affine.for %i = 2 to 66 {
    %0 = affine.load %m[%i - 2] : memref<66xf64>
    %1 = affine.load %m[%i] : memref<66xf64>
    %2 = arith.subf %0, %1 : f64
    affine.store %2, %v[%i] : memref<68xf64>
  }
  memref.dealloc %m : memref<66xf64>
  return
}
