// Results that are equal stay apart where only one of them is buffered.
// RUN: stencil-opt %s --canonicalize --stencil-infer-shapes | FileCheck %s --check-prefix=APART
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --verify=0 | FileCheck %s
// APART: %[[A:.*]]:2 = stencil.apply
// APART: stencil.buffer %[[A]]#0
// APART: stencil.store %[[A]]#1
// CHECK: argument 1: max 0 ulp
// CHECK: argument 2: max 0 ulp

func.func @merged(%a: !stencil.field<[0,8]xf64>, %b: !stencil.field<[0,8]xf64>, %c: !stencil.field<[0,8]xf64>) {
  %t = stencil.load %a : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  %u:2 = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    %w = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %v, %w : f64, f64
  }
  %buffered = stencil.buffer %u#0 : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %buffered : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %x[1] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  stencil.store %u#1 to %b(<[0], [8]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  stencil.store %r to %c(<[1], [6]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  return
}
