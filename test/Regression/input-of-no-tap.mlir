// RUN: stencil-opt %s --stencil-infer-shapes | FileCheck %s
// An input that only a sum without taps names.
// CHECK-LABEL: @main
func.func @main(%f: !stencil.field<[-2,6]xf64>, %h: !stencil.field<[-2,6]xf64>, %g: !stencil.field<[0,4]xf64>) {
  %t = stencil.load %f : !stencil.field<[-2,6]xf64> -> !stencil.temp<?xf64>
  %u = stencil.load %h : !stencil.field<[-2,6]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %y = %u : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    %s = stencil.weighted_sum %y offsets [[-1]] weights dense<0.0> : tensor<1xf64> : !stencil.temp<?xf64>
    %v = arith.addf %a, %s : f64
    stencil.return %v : f64
  }
  stencil.store %r to %g(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,4]xf64>
  return
}
