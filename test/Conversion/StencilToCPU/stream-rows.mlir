// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 cache-bytes=1048576 columns=1 stream-rows" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 cache-bytes=1048576 columns=1" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=JOINT
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 cache-bytes=1048576 columns=1 stream-rows rows=2" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=JOINT

// Rows that share what they read are computed together, unless the output goes around the cache: then one by one.

// CHECK-LABEL: func @large
// CHECK: vector.store %{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK-NOT: vector.store
// CHECK: return
// JOINT-LABEL: func @large
// JOINT-NOT: nontemporal
// Two rows, and the last one of an odd number.
// JOINT-COUNT-3: vector.store
func.func @large(%u: !stencil.field<[-1,66]x[0,4096]xf64>, %v: !stencil.field<[-1,66]x[0,4096]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,66]x[0,4096]xf64>) outs (%v : !stencil.field<[-1,66]x[0,4096]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[-1,66]x[0,4096]xf64>
    %b = stencil.access %x[1, 0] : !stencil.field<[-1,66]x[0,4096]xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [65, 4096]>
  return
}

// -----

// Fields that fit the cache: together.

// CHECK-LABEL: func @small
// CHECK-NOT: nontemporal
func.func @small(%u: !stencil.field<[-1,9]x[0,4096]xf64>, %v: !stencil.field<[-1,9]x[0,4096]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,9]x[0,4096]xf64>) outs (%v : !stencil.field<[-1,9]x[0,4096]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[-1,9]x[0,4096]xf64>
    %b = stencil.access %x[1, 0] : !stencil.field<[-1,9]x[0,4096]xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [8, 4096]>
  return
}

// -----

// Where only the run knows, it decides: one row, or two and a last one.

// CHECK-LABEL: func @open
// CHECK: vector.store {{.*}}nontemporal = true
// CHECK-COUNT-3: vector.store %{{[0-9]+}}, %arg1[%{{[0-9a-z]+}}, %{{[0-9a-z]+}}] : memref
// CHECK-NOT: vector.store
func.func @open(%u: !stencil.field<[-1,?+1]x[0,?]xf64>, %v: !stencil.field<[-1,?+1]x[0,?]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,?+1]x[0,?]xf64>) outs (%v : !stencil.field<[-1,?+1]x[0,?]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[-1,?+1]x[0,?]xf64>
    %b = stencil.access %x[1, 0] : !stencil.field<[-1,?+1]x[0,?]xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [?, ?]>
  return
}
