// RUN: stencil-opt %s --stencil-shape-loops --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// The numbers of every condition are checked against the interpreter and NumPy;
// here: which cells are read and written, and in which order.

// Where a layer's values come from is known outside of the loops.

// CHECK-LABEL: func @periodic
// CHECK-SAME: %[[F:.*]]: memref<12xf64>
// CHECK-NOT: scf.for
// CHECK: %[[A:.*]] = memref.load %[[F]][%c9]
// CHECK: memref.store %[[A]], %[[F]][%c1]
// CHECK: %[[B:.*]] = memref.load %[[F]][%c8]
// CHECK: memref.store %[[B]], %[[F]][%c0]
// CHECK: %[[C:.*]] = memref.load %[[F]][%c2]
// CHECK: memref.store %[[C]], %[[F]][%c10]
// CHECK: %[[D:.*]] = memref.load %[[F]][%c3]
// CHECK: memref.store %[[D]], %[[F]][%c11]
func.func @periodic(%f: !stencil.field<[-2,10]xf64>) {
  stencil.boundary %f(<[0], [8]>) [#stencil.periodic] : !stencil.field<[-2,10]xf64>
  return
}

// -----

// Rows are filled one after the other; the last axis point by point, both sides
// in one loop. Axis 1 is filled over the whole of axis 0, so that corners are
// defined.

// CHECK-LABEL: func @corners
// CHECK: scf.for %[[X:.*]] = %c0 to %c6 step %c1 {
// CHECK: memref.load %{{.*}}[%c1, %{{.*}}]
// CHECK: memref.store %{{.*}}[%c0, %{{.*}}]
// CHECK: scf.for %{{.*}} = %c0 to %c6 step %c1 {
// CHECK: memref.load %{{.*}}[%c4, %{{.*}}]
// CHECK: memref.store %{{.*}}[%c5, %{{.*}}]
// CHECK: scf.for %{{.*}} = %c-1 to %c5 step %c1 {
// CHECK: memref.store %{{.*}}[%{{.*}}, %c0]
// CHECK: memref.store %{{.*}}[%{{.*}}, %c7]
func.func @corners(%f: !stencil.field<[-1,5]x[-1,7]xf32>) {
  stencil.boundary %f(<[0, 0], [4, 6]>) [#stencil.neumann, #stencil.dirichlet<1.5>] : !stencil.field<[-1,5]x[-1,7]xf32>
  return
}

// -----

// CHECK-LABEL: func @kept
// CHECK-NOT: memref.store
func.func @kept(%f: !stencil.field<[-1,5]xf32>) {
  stencil.boundary %f(<[0], [4]>) [#stencil.keep] : !stencil.field<[-1,5]xf32>
  return
}

// -----

// Weights of the line through two points, one and two cells beyond its end.

// CHECK-LABEL: func @line
// CHECK-DAG: arith.constant 2.000000e+00 : f64
// CHECK-DAG: arith.constant 3.000000e+00 : f64
// CHECK-DAG: arith.constant -2.000000e+00 : f64
func.func @line(%f: !stencil.field<[-2,4]xf64>) {
  stencil.boundary %f(<[0], [4]>) [#stencil.extrapolate<1> | #stencil.keep] : !stencil.field<[-2,4]xf64>
  return
}

// -----

// A volume, of any size: threads divide the rows; no division in the loops.

// CHECK-LABEL: func @volume
// CHECK-COUNT-3: arith.remui
// CHECK: scf.parallel
// CHECK-NOT: arith.remui
// CHECK: scf.reduce
!v = !stencil.field<[-3,?]x[0,?]x[0,?]xf32>
func.func @volume(%a: !stencil.field<?x?x?xf32>) {
  %f = stencil.cast %a : !stencil.field<?x?x?xf32> -> !v
  stencil.boundary %f(<[0, 0, 0], [?, ?, ?]>) [#stencil.periodic, #stencil.keep, #stencil.keep] : !v
  return
}

// -----

// A wide halo is a loop over its layers.

// CHECK-LABEL: func @wide
// CHECK: scf.for %{{.*}} = %c-9 to %c0
// CHECK: arith.remui
// CHECK: scf.for %{{.*}} = %c100 to %c109
// CHECK: arith.remui
func.func @wide(%f: !stencil.field<[-9,109]xf64>) {
  stencil.boundary %f(<[0], [100]>) [#stencil.periodic] : !stencil.field<[-9,109]xf64>
  return
}

// -----

// The columns of a large plane are filled by several threads: a point of them costs a line. Its rows are copied by one.

// CHECK-LABEL: func @columns
// CHECK-NOT: scf.parallel
// CHECK: memref.store %{{.*}}[%c0, %{{.*}}]
// CHECK: scf.parallel (%{{.*}}) = (%c-1) to (%c4097) step (%c4)
// CHECK: memref.store %{{.*}}[%{{.*}}, %c0]
// CHECK-LABEL: func @few_columns
// CHECK-NOT: scf.parallel
func.func @columns(%f: !stencil.field<[-1,4097]x[-1,65]xf64>) {
  stencil.boundary %f(<[0, 0], [4096, 64]>) [#stencil.neumann, #stencil.neumann] : !stencil.field<[-1,4097]x[-1,65]xf64>
  return
}
func.func @few_columns(%f: !stencil.field<[-1,513]x[-1,65]xf64>) {
  stencil.boundary %f(<[0, 0], [512, 64]>) [#stencil.neumann, #stencil.neumann] : !stencil.field<[-1,513]x[-1,65]xf64>
  return
}
