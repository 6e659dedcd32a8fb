// Rows of a tile of steps that are computed together: as many as a processor says, where that saves loads; of volumes up to some per cent of them.
// RUN: stencil-opt %s --stencil-expand-weighted-sums --stencil-shape-loops="vector-bits=512 joint-rows=4 joint-rows-percent=76" --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-expand-weighted-sums --stencil-shape-loops="vector-bits=512" --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: stencil-opt %s --stencil-expand-weighted-sums --stencil-shape-loops="vector-bits=512 joint-rows=4 joint-rows-percent=76 joint-rows-cache=524288" --split-input-file | FileCheck %s --check-prefix=LARGE

!field = !stencil.field<[-1,65]x[-1,65]xf64>

// CHECK-LABEL: func.func @plane
// CHECK: stencil.cpu_loops<lanes = 8, rows = 4, columns = 4>
// TWO-LABEL: func.func @plane
// TWO: stencil.cpu_loops<lanes = 8, rows = 2, columns = 4>
// LARGE-LABEL: func.func @plane
// LARGE: stencil.cpu_loops<lanes = 8, rows = 4, columns = 4>
func.func @plane(%u0: !field, %v0: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %s = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !field
      stencil.return %s : f64
    } to <[0, 0], [64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>

// Of 7 points four rows leave 22 of 28 loads.
// CHECK-LABEL: func.func @star
// CHECK: stencil.cpu_loops<lanes = 8, columns = 4>
// TWO-LABEL: func.func @star
// TWO: stencil.cpu_loops<lanes = 8, columns = 4>
func.func @star(%u0: !field, %v0: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %s = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.125> : tensor<7xf64> : !field
      stencil.return %s : f64
    } to <[0, 0, 0], [64, 64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>

// Of three columns of three rows, four rows leave half of the loads, and two rows two thirds. There are registers for four vectors.
// CHECK-LABEL: func.func @columns
// CHECK: stencil.cpu_loops<lanes = 8, rows = 4>
// TWO-LABEL: func.func @columns
// TWO: stencil.cpu_loops<lanes = 8, rows = 2, columns = 2>
// LARGE-LABEL: func.func @columns
// LARGE: stencil.cpu_loops<lanes = 8, columns = 4>
func.func @columns(%u0: !field, %v0: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %s = stencil.weighted_sum %x offsets [[0, -1, 0], [0, 0, 0], [0, 1, 0], [0, -1, 1], [0, 0, 1], [0, 1, 1], [1, -1, 0], [1, 0, 0], [1, 1, 0]] weights dense<0.125> : tensor<9xf64> : !field
      stencil.return %s : f64
    } to <[0, 0, 0], [64, 64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}
