// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize | FileCheck %s
// A result that only a sum without taps names, of an apply that has a box.
// CHECK-LABEL: @main
func.func @main(%f: !stencil.field<[-2,6]xf64>, %g: !stencil.field<[0,4]xf64>) {
  %t = stencil.load %f : !stencil.field<[-2,6]xf64> -> !stencil.temp<?xf64>
  %m:2 = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %a, %a : f64, f64
  }
  %r = stencil.apply(%x = %m#1 : !stencil.temp<?xf64>, %y = %m#0 : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %y[0] : !stencil.temp<?xf64>
    %s = stencil.weighted_sum %x offsets [[2]] weights dense<0.0> : tensor<1xf64> : !stencil.temp<?xf64>
    %v = arith.addf %a, %s : f64
    stencil.return %v : f64
  }
  stencil.store %r to %g(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,4]xf64>
  return
}
