// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 stream-stores=false columns=1" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 stream-stores=false columns=1 rows=1" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=ONE

// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 stream-stores=false rows=1 columns=4" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=COLUMNS

// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=128 stream-stores=false columns=1" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=TWO
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=64 stream-stores=false columns=1" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=SCALAR

// Two rows of a 9-point box need 12 loads together instead of 18, and are
// computed together; the last of an odd number of rows is computed alone.

// CHECK-LABEL: func @box
// CHECK: scf.for %{{.*}} = %c0 to %c20 step %c2
// CHECK: scf.for
// CHECK-COUNT-12: vector.load
// CHECK-NOT: vector.load
// CHECK: vector.store
// CHECK: vector.store

// So they are with vectors of two lanes, but not without vectors.

// TWO-LABEL: func @box
// TWO: scf.for %{{.*}} = %c0 to %c20 step %c2
// TWO-COUNT-12: vector.load {{.*}}vector<2xf64>
// TWO-NOT: vector.load
// TWO: vector.store

// SCALAR-LABEL: func @box
// SCALAR: scf.for %{{.*}} = %c0 to %c21 step %c1
// SCALAR-NOT: vector

// ONE-LABEL: func @box
// ONE: scf.for %{{.*}} = %c0 to %c21 step %c1
// ONE-COUNT-9: vector.load
// ONE-NOT: vector.load
// ONE: vector.store
// Four vectors of a row per turn, then what is left vector by vector.

// COLUMNS-LABEL: func @box
// COLUMNS: scf.for %{{.*}} = %c0 to %c64 step %c32
// COLUMNS-COUNT-36: vector.load
// COLUMNS-NOT: vector.load
// COLUMNS-COUNT-4: vector.store
func.func @box(%u: !stencil.field<[-1,22]x[-1,65]xf64>, %v: !stencil.field<[0,21]x[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,22]x[-1,65]xf64>) outs (%v : !stencil.field<[0,21]x[0,64]xf64>) {
    %0 = stencil.access %x[-1, -1] : !stencil.field<[-1,22]x[-1,65]xf64>
    %1 = stencil.access %x[-1, 0] : !stencil.field<[-1,22]x[-1,65]xf64>
    %2 = stencil.access %x[-1, 1] : !stencil.field<[-1,22]x[-1,65]xf64>
    %3 = stencil.access %x[0, -1] : !stencil.field<[-1,22]x[-1,65]xf64>
    %4 = stencil.access %x[0, 0] : !stencil.field<[-1,22]x[-1,65]xf64>
    %5 = stencil.access %x[0, 1] : !stencil.field<[-1,22]x[-1,65]xf64>
    %6 = stencil.access %x[1, -1] : !stencil.field<[-1,22]x[-1,65]xf64>
    %7 = stencil.access %x[1, 0] : !stencil.field<[-1,22]x[-1,65]xf64>
    %8 = stencil.access %x[1, 1] : !stencil.field<[-1,22]x[-1,65]xf64>
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    %c = arith.addf %b, %3 : f64
    %d = arith.addf %c, %4 : f64
    %e = arith.addf %d, %5 : f64
    %f = arith.addf %e, %6 : f64
    %g = arith.addf %f, %7 : f64
    %h = arith.addf %g, %8 : f64
    stencil.return %h : f64
  } to <[0, 0], [21, 64]>
  return
}
