// A fold of integers that take four bytes in memory, but three in a vector, read them as vectors.
// RUN: stencil-run %s --arg 0=random:1 | FileCheck %s

// CHECK: result 0: [[GREATEST:[0-9]+]]
// CHECK: result 1: [[GREATEST]]
func.func @greatest(%u: !stencil.field<[0,40]xi32>) -> (i32, i32) {
  %t = stencil.load %u : !stencil.field<[0,40]xi32> -> !stencil.temp<?xi32>
  %narrow = stencil.apply(%x = %t : !stencil.temp<?xi32>) -> (!stencil.temp<?xi24>) {
    %0 = stencil.access %x[0] : !stencil.temp<?xi32>
    %1 = arith.trunci %0 : i32 to i24
    stencil.return %1 : i24
  }
  %kept = stencil.buffer %narrow : !stencil.temp<?xi24> -> !stencil.temp<?xi24>
  %max = stencil.fold %kept(<[0], [40]>) max : !stencil.temp<?xi24>
  %wide = arith.extsi %max : i24 to i32
  %expected = stencil.fold %t(<[0], [40]>) max : !stencil.temp<?xi32>
  return %wide, %expected : i32, i32
}
