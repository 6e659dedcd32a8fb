// RUN: stencil-opt %s --stencil-shape-loops="tile-rows=16 parallel-points=8192 stream-stores=false" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s

// Whether there are points for several threads is seen when the program runs: if not, one tile has them all.

// CHECK-LABEL: func @open
// CHECK: %[[ROWS:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK: %[[COLUMNS:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK: %[[POINTS:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[POINTS]], %c8192
// CHECK: %[[TILE:.*]] = arith.select %[[FEW]], %[[ROWS]], %c16
// CHECK: scf.parallel {{.*}} step (%[[TILE]])
func.func @open(%u: !stencil.field<[0,?]x[0,?]xf64>, %v: !stencil.field<[0,?]x[0,?]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,?]x[0,?]xf64>) outs (%v : !stencil.field<[0,?]x[0,?]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,?]x[0,?]xf64>
    stencil.return %a : f64
  } to <[0, 0], [?, ?]>
  return
}

// CHECK-LABEL: func @known_and_few
// CHECK-NOT: scf.parallel
func.func @known_and_few(%u: !stencil.field<[0,64]x[0,64]xf64>, %v: !stencil.field<[0,64]x[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,64]x[0,64]xf64>) outs (%v : !stencil.field<[0,64]x[0,64]xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,64]x[0,64]xf64>
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}
