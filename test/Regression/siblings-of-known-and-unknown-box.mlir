// RUN: stencil-opt %s --stencil-fuse-applies="force=a+b" | FileCheck %s
// RUN: stencil-opt %s --stencil-fuse-applies="force=a+b" --stencil-infer-shapes | FileCheck %s --check-prefix=SHAPES

// One of the siblings has its box written down: that of all results is inferred.
// CHECK: stencil.apply({{.*}}) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>)
// SHAPES: stencil.apply({{.*}}) -> (!stencil.temp<[0,4]xf64>, !stencil.temp<[0,4]xf64>)
func.func @siblings(%f: !stencil.field<[0,4]xf64>, %g: !stencil.field<[0,4]xf64>, %h: !stencil.field<[0,4]xf64>) {
  %t = stencil.load %f : !stencil.field<[0,4]xf64> -> !stencil.temp<?xf64>
  %a = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<[0,4]xf64>) attributes {stencil.name = "a"} {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    %w = arith.addf %v, %v : f64
    stencil.return %w : f64
  }
  %b = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) attributes {stencil.name = "b"} {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    %w = arith.mulf %v, %v : f64
    stencil.return %w : f64
  }
  %c = stencil.buffer %a : !stencil.temp<[0,4]xf64> -> !stencil.temp<[0,4]xf64>
  stencil.store %c to %g(<[0], [4]>) : !stencil.temp<[0,4]xf64> to !stencil.field<[0,4]xf64>
  stencil.store %b to %h(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,4]xf64>
  return
}
