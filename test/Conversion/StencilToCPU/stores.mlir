// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 cache-bytes=1048576 columns=1" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// Outputs beyond the cache with long rows are stored around it, from the first
// aligned vector on. The head of the row is stored element by element: a masked
// vector would reach into the line behind it, and have it read.

// Where a row is not one of whole vectors, its ends are fetched before.

// CHECK-LABEL: func @large
// CHECK: %[[PART:.*]] = arith.cmpi ne
// CHECK-NEXT: scf.if %[[PART]]
// CHECK: memref.prefetch {{.*}}write
// CHECK-NOT: vector.maskedstore
// CHECK: %[[FIRST:.*]] = vector.extract %{{.*}}[0] : f64 from vector<8xf64>
// CHECK: memref.store %[[FIRST]]
// CHECK: %[[SEVENTH:.*]] = vector.extract %{{.*}}[6] : f64 from vector<8xf64>
// CHECK: memref.store %[[SEVENTH]]
// CHECK-NOT: vector.extract %{{.*}}[7]
// CHECK-NOT: vector.maskedstore
// CHECK: vector.store %{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: llvm.fence seq_cst
func.func @large(%u: !stencil.field<[0,64]x[0,4096]xf64>, %v: !stencil.field<[0,64]x[0,4096]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,64]x[0,4096]xf64>) outs (%v : !stencil.field<[0,64]x[0,4096]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,64]x[0,4096]xf64>
    stencil.return %a : f64
  } to <[0, 0], [64, 4096]>
  return
}

// -----

// Fields that fit the cache are not.

// CHECK-LABEL: func @small
// CHECK-NOT: nontemporal
func.func @small(%u: !stencil.field<[0,8]x[0,4096]xf64>, %v: !stencil.field<[0,8]x[0,4096]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,4096]xf64>) outs (%v : !stencil.field<[0,8]x[0,4096]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,4096]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 4096]>
  return
}

// -----

// A line that is read anyway is in the cache.

// CHECK-LABEL: func @in_place
// CHECK-NOT: nontemporal
func.func @in_place(%v: !stencil.field<[0,64]x[0,4096]xf64>) {
  stencil.apply(%x = %v : !stencil.field<[0,64]x[0,4096]xf64>) outs (%v : !stencil.field<[0,64]x[0,4096]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,64]x[0,4096]xf64>
    %b = arith.addf %a, %a : f64
    stencil.return %b : f64
  } to <[0, 0], [64, 4096]>
  return
}
