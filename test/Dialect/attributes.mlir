// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

// CHECK-LABEL: func private @index
// CHECK-SAME: #stencil.index<[0]>
// CHECK-SAME: #stencil.index<[-1, 0, 3, -1099511627776]>
func.func private @index() attributes {a = #stencil.index<[0]>,
                                       b = #stencil.index<[-1, 0, 3, -1099511627776]>}

// CHECK-LABEL: func private @bounds
// CHECK-SAME: #stencil.bounds<[0], [64]>
// CHECK-SAME: #stencil.bounds<[-1, -2, -3, -4], [1, 2, 3, 4]>
// CHECK-SAME: #stencil.bounds<[0, ?-2], [?, ?+2]>
func.func private @bounds() attributes {a = #stencil.bounds<[0], [64]>,
                                        b = #stencil.bounds<[-1, -2, -3, -4], [1, 2, 3, 4]>,
                                        c = #stencil.bounds<[0, ?-2], [?, ?+2]>}

// CHECK-LABEL: func private @conditions
// CHECK-SAME: [#stencil.periodic, #stencil.neumann, #stencil.symmetric, #stencil.antisymmetric, #stencil.symmetric_about_face, #stencil.antisymmetric_about_face, #stencil.keep]
// CHECK-SAME: #stencil.dirichlet<1.500000e+00 : f64>
// CHECK-SAME: #stencil.dirichlet<2.500000e-01 : f16>
// CHECK-SAME: #stencil.dirichlet<-1 : i64>
// CHECK-SAME: #stencil.dirichlet<7 : i8>
// CHECK-SAME: [#stencil.extrapolate<0>, #stencil.extrapolate<8>]
func.func private @conditions() attributes {
  a = [#stencil.periodic, #stencil.neumann, #stencil.symmetric, #stencil.antisymmetric, #stencil.symmetric_about_face, #stencil.antisymmetric_about_face, #stencil.keep],
  b = #stencil.dirichlet<1.5>,
  c = #stencil.dirichlet<0.25 : f16>,
  d = #stencil.dirichlet<-1>,
  e = #stencil.dirichlet<7 : i8>,
  f = [#stencil.extrapolate<0>, #stencil.extrapolate<8>]}
