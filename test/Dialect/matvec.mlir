// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s

!in = !stencil.temp<[-3,5]xf64>
!temp = !stencil.temp<[0,2]xf64>

// Two rows that read points -1, 0 and 1.

// CHECK-LABEL: func @ends
func.func @ends(%f: !stencil.field<[-3,5]xf64>, %g: !stencil.field<[0,2]xf64>) {
  %t = stencil.load %f : !stencil.field<[-3,5]xf64> -> !in
  %r = stencil.apply(%x = %t : !in) -> (!temp) {
    // CHECK: %[[I:.*]] = stencil.index 0 <[0]>
    %i = stencil.index 0 <[0]>
    // CHECK: stencil.matvec %{{.*}}[%[[I]]] from -1 matrix dense<{{\[\[}}5.000000e-01, 2.500000e-01, 0.000000e+00], [2.500000e-01, 5.000000e-01, 2.500000e-01]]> : tensor<2x3xf64> : !stencil.temp<[-3,5]xf64>
    %v = stencil.matvec %x[%i] from -1 matrix dense<[[0.5, 0.25, 0.0], [0.25, 0.5, 0.25]]> : tensor<2x3xf64> : !in
    // CHECK: stencil.matvec %{{.*}}[%[[I]]] fastmath<reassoc> from 0 matrix dense<1.000000e+00> : tensor<1x1xf64>
    %w = stencil.matvec %x[%i] fastmath<reassoc> from 0 matrix dense<1.0> : tensor<1x1xf64> : !in
    %s = arith.addf %v, %w : f64
    stencil.return %s : f64
  }
  stencil.store %r to %g(<[0], [2]>) : !temp to !stencil.field<[0,2]xf64>
  return
}
