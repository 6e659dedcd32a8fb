// Views are seen through; copies of them are nests.
// RUN: stencil-opt %s --stencil-raise-loops --canonicalize --cse | FileCheck %s

// Of linalg, as slices of tensors become, with views of a view, and extents that are known at run time.
// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[A:.*]]: memref<?x9xf64>, %{{.*}}: f64
// CHECK:         %[[X:.*]] = stencil.external_load %[[A]]
// CHECK:         %[[U:.*]] = stencil.cast %[[X]] : !stencil.field<?x?xf64> -> !stencil.field<[-1,?+1]x[-3,6]xf64>
// CHECK:         %[[W:.*]] = stencil.cast %{{.*}} : !stencil.field<?x?xf64> -> !stencil.field<[0,?]x[0,4]xf64>
// CHECK:         %[[T:.*]] = stencil.load %[[U]]
// CHECK:         %[[R:.*]] = stencil.apply(%[[V:.*]] = %[[T]]
// CHECK:           stencil.access %[[V]][-1, 0]
// CHECK:           stencil.access %[[V]][1, 1]
// CHECK:         stencil.store %[[R]] to %[[W]](<[0, 0], [?, 4]>)
// CHECK-NOT:     memref.subview
func.func @slices(%u: memref<?x9xf64>, %k: f64, %v: memref<?x4xf64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %u, %c0 : memref<?x9xf64>
  %m = arith.subi %n, %c2 : index
  %all = memref.subview %u[0, 3] [%n, 5] [1, 1] : memref<?x9xf64> to memref<?x5xf64, strided<[9, 1], offset: 3>>
  %l = memref.subview %all[0, 0] [%m, 4] [1, 1] : memref<?x5xf64, strided<[9, 1], offset: 3>> to memref<?x4xf64, strided<[9, 1], offset: 3>>
  %r = memref.subview %all[2, 1] [%m, 4] [1, 1] : memref<?x5xf64, strided<[9, 1], offset: 3>> to memref<?x4xf64, strided<[9, 1], offset: 22>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%l, %r : memref<?x4xf64, strided<[9, 1], offset: 3>>, memref<?x4xf64, strided<[9, 1], offset: 22>>) outs(%v : memref<?x4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %s = arith.addf %a, %b : f64
    %t = arith.mulf %s, %k : f64
    linalg.yield %t : f64
  }
  return
}

// CHECK-LABEL: func.func @copy(
// CHECK:         %[[R:.*]] = stencil.apply
// CHECK-NEXT:      %[[X:.*]] = stencil.access %{{.*}}[0, 0]
// CHECK-NEXT:      stencil.return %[[X]]
// CHECK:         stencil.store %[[R]] to %{{.*}}(<[0, 0], [4, 5]>) : !stencil.temp<?x?xf32> to !stencil.field<[-2,6]x[-3,6]xf32>
// CHECK:         memref.copy %{{.*}}, %{{.*}} : memref<8x9xf32> to memref<8x9xf32>
func.func @copy(%u: memref<4x5xf32>, %v: memref<8x9xf32>, %w: memref<8x9xf32>) {
  %view = memref.subview %v[2, 3] [4, 5] [1, 1] : memref<8x9xf32> to memref<4x5xf32, strided<[9, 1], offset: 21>>
  memref.copy %u, %view : memref<4x5xf32> to memref<4x5xf32, strided<[9, 1], offset: 21>>
  memref.copy %v, %w : memref<8x9xf32> to memref<8x9xf32>
  return
}
