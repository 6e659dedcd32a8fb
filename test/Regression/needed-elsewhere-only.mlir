// RUN: stencil-opt %s --stencil-infer-shapes --stencil-expand-weighted-sums | FileCheck %s
// Needed at -1 only: what is at 0 reads beyond the box, and goes.
// CHECK-LABEL: @main
func.func @main(%f: !stencil.field<[-2,6]xf64>, %g: !stencil.field<[0,4]xf64>) {
  %t = stencil.load %f : !stencil.field<[-2,6]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %i = stencil.index 0 <[0]>
    %one = arith.constant 1 : index
    %c = arith.cmpi slt, %i, %one : index
    %v = scf.if %c -> (f64) {
      %a = stencil.access %x[0] : !stencil.temp<?xf64>
      scf.yield %a : f64
    } else {
      %a = stencil.access %x[1] : !stencil.temp<?xf64>
      scf.yield %a : f64
    }
    %s = stencil.weighted_sum %v offsets [[-1]] weights dense<2.0> : tensor<1xf64> : f64
    stencil.return %s : f64
  }
  stencil.store %r to %g(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,4]xf64>
  return
}
