// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

// CHECK-LABEL: func private @fields(
// CHECK-SAME: !stencil.field<[-4,68]xf64>
// CHECK-SAME: !stencil.field<[-4,68]x[-2,30]xf32>
// CHECK-SAME: !stencil.field<[0,1]x[0,2]x[0,3]xf16>
// CHECK-SAME: !stencil.field<[0,1]x[0,2]x[0,3]x[-1,4]xbf16>
// CHECK-SAME: !stencil.field<?xi8>
// CHECK-SAME: !stencil.field<?x?xi32>
// CHECK-SAME: !stencil.field<?x?x?xi64>
// CHECK-SAME: !stencil.field<?x?x?x?xi1>
func.func private @fields(!stencil.field<[-4,68]xf64>,
                          !stencil.field<[-4,68]x[-2,30]xf32>,
                          !stencil.field<[0,1]x[0,2]x[0,3]xf16>,
                          !stencil.field<[0,1]x[0,2]x[0,3]x[-1,4]xbf16>,
                          !stencil.field<?xi8>,
                          !stencil.field<?x?xi32>,
                          !stencil.field<?x?x?xi64>,
                          !stencil.field<?x?x?x?xi1>)

// White space is free, and a bound may be a sum of nothing.
// CHECK-LABEL: func private @spaces(
// CHECK-SAME: !stencil.field<[-4,68]x[0,8]xf64>
// CHECK-SAME: !stencil.field<[0,?]xf64>
func.func private @spaces(!stencil.field< [ -4 , 68 ] x[0, 8] xf64>,
                          !stencil.field<[0,?+0]xf64>)

// CHECK-LABEL: func private @temps(
// CHECK-SAME: !stencil.temp<[-4,68]xf64>
// CHECK-SAME: !stencil.temp<?x?x?xf32>
func.func private @temps(!stencil.temp<[-4,68]xf64>,
                         !stencil.temp<?x?x?xf32>)

// CHECK-LABEL: func private @symbolic(
// CHECK-SAME: !stencil.field<[-4,?+4]x[-4,?+4]xf64>
// CHECK-SAME: !stencil.field<[0,?]x[0,64]xf64>
// CHECK-SAME: !stencil.field<[?-4,?+4]xf64>
// CHECK-SAME: !stencil.temp<[1,?-1]xf32>
// CHECK-SAME: !stencil.temp<[?,?+1]xf32>
func.func private @symbolic(!stencil.field<[-4,?+4]x[-4,?+4]xf64>,
                            !stencil.field<[0,?]x[0,64]xf64>,
                            !stencil.field<[?-4,?+4]xf64>,
                            !stencil.temp<[1,?-1]xf32>,
                            !stencil.temp<[?,?+1]xf32>)

// The largest bounds there are.
// CHECK-LABEL: func private @extremes(
// CHECK-SAME: !stencil.field<[-1099511627776,1099511627776]xf64>
// CHECK-SAME: !stencil.field<[?-1099511627776,?+1099511627776]xf64>
func.func private @extremes(
  !stencil.field<[-1099511627776,1099511627776]xf64>,
  !stencil.field<[?-1099511627776,?+1099511627776]xf64>)

// xDSL tensorises an axis; elements of any other type are kept as they are.
// CHECK-LABEL: func private @elements(
// CHECK-SAME: !stencil.field<[0,8]x[0,8]xtensor<16xf32>>
// CHECK-SAME: !stencil.temp<?xindex>
// CHECK-SAME: !stencil.temp<?xcomplex<f32>>
// CHECK-SAME: !stencil.temp<?x!llvm.ptr>
func.func private @elements(!stencil.field<[0,8]x[0,8]xtensor<16xf32>>,
                            !stencil.temp<?xindex>,
                            !stencil.temp<?xcomplex<f32>>,
                            !stencil.temp<?x!llvm.ptr>)

// CHECK-LABEL: func private @results(
// CHECK-SAME: !stencil.result<f64>, !stencil.result<i32>
// CHECK-SAME: !stencil.result<tensor<8xf32>>
func.func private @results(!stencil.result<f64>, !stencil.result<i32>,
                           !stencil.result<tensor<8xf32>>)
