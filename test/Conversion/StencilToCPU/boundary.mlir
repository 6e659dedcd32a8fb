// RUN: stencil-opt %s --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// The numbers of every condition are checked against the interpreter and NumPy;
// here: which cells are read and written, and in which order.

// CHECK-LABEL: func @periodic
// CHECK: scf.for %[[I:.*]] = %c-2 to %c0
// CHECK: arith.remui
// CHECK: memref.load
// CHECK: memref.store
// CHECK: scf.for %{{.*}} = %c8 to %c10
func.func @periodic(%f: !stencil.field<[-2,10]xf64>) {
  stencil.boundary %f(<[0], [8]>) [#stencil.periodic] : !stencil.field<[-2,10]xf64>
  return
}

// -----

// Axis 1 is filled over the whole of axis 0, so that corners are defined.

// CHECK-LABEL: func @corners
// CHECK: scf.for %{{.*}} = %c0 to %c6
// CHECK: scf.for %{{.*}} = %c-1 to %c5
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
