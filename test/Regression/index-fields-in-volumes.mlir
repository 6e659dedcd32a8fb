// Fields of indices in a volume: how many bytes an index takes was asked of a type that has no width.
// RUN: stencil-opt %s --stencil-to-cpu=prefetch-bytes=2048 | FileCheck %s

// CHECK-LABEL: llvm.func @f
// CHECK: llvm.sitofp %{{.*}} : i64 to f64

!index = !stencil.field<[0,64]x[0,64]x[0,64]xindex>
!f64 = !stencil.field<[0,64]x[0,64]x[0,64]xf64>

func.func @f(%numbers: !index, %u: !f64) {
  stencil.apply(%x = %numbers : !index) outs (%u : !f64) {
    %number = stencil.access %x[0, 0, 0] : !index
    %integer = arith.index_cast %number : index to i64
    %float = arith.sitofp %integer : i64 to f64
    stencil.return %float : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}
