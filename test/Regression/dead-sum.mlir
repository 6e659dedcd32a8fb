// RUN: stencil-opt %s --stencil-infer-shapes --cse | FileCheck %s
// CSE removes the unused sum, and with it the only one that needs %a at 1. What
// is dead reads nothing, so %a is still in its box.
// CHECK-LABEL: @main
func.func @main(%f: !stencil.field<[-2,6]xf64>, %g: !stencil.field<[0,4]xf64>) {
  %t = stencil.load %f : !stencil.field<[-2,6]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %b = stencil.access %x[0] : !stencil.temp<?xf64>
    %a = stencil.access %x[-2] : !stencil.temp<?xf64>
    %d = arith.addf %a, %a : f64
    %s = stencil.weighted_sum %d offsets [[1]] weights dense<[0.25]> : tensor<1xf64> : f64
    stencil.return %b : f64
  }
  stencil.store %r to %g(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,4]xf64>
  return
}
