// Canonicalisation makes a selection of a branch; a selection of things to be
// stored had no lowering.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --target cpu --verify=0 | FileCheck %s
// CHECK: verify: argument 1: max 0 ulp

func.func @keep_small(%u: !stencil.field<[0,21]xf64>, %v: !stencil.field<[0,21]xf64>) {
  %t = stencil.load %u : !stencil.field<[0,21]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    %half = arith.constant 0.5 : f64
    %c = arith.cmpf olt, %a, %half : f64
    %some = stencil.store_result %a : !stencil.result<f64>
    %none = stencil.store_result : !stencil.result<f64>
    %s = arith.select %c, %some, %none : !stencil.result<f64>
    stencil.return %s : !stencil.result<f64>
  }
  stencil.store %r to %v(<[0], [21]>) : !stencil.temp<?xf64> to !stencil.field<[0,21]xf64>
  return
}
