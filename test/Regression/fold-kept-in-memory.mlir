// The sum that a fold gives may be off by what it may be off by, also when it has been in memory meanwhile.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=zeros --extents 5000 --verify | FileCheck %s
// CHECK: verify: argument 1: {{.*}} 0 of 1 point
// CHECK: verify: result 0: {{.*}} 0 of 1 point

func.func @main(%u: !stencil.field<?xf64>, %kept: memref<1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %f = stencil.cast %u : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
  %t = stencil.load %f : !stencil.field<[0,?]xf64> -> !stencil.temp<?xf64>
  %s = stencil.fold %t(<[0], [?]>) sum : !stencil.temp<?xf64>
  memref.store %s, %kept[%c0] : memref<1xf64>
  %r = memref.load %kept[%c0] : memref<1xf64>
  return %r : f64
}
