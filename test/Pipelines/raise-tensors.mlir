// Linalg on tensors: upstream's passes make arrays, then loops become stencils; what slices and temporary tensors were, is gone.
// RUN: stencil-opt %s --stencil-raise-tensors | FileCheck %s
// RUN: stencil-opt %s --stencil-raise-tensors -o %t.mlir
// RUN: stencil-run %t.mlir --entry steps --arg 0=random:1 --arg 1=7 --arg 2=zeros --verify
// RUN: stencil-run %t.mlir --entry steps --arg 0=random:1 --arg 1=7 --arg 2=zeros --verify --target emulator --chip sm_90
// RUN: stencil-run %t.mlir --entry open --extents 50 --arg 0=random:1 --arg 1=0.5 --arg 2=zeros --verify

// CHECK-LABEL: func.func @steps(
// CHECK-SAME:    %[[A:.*]]: memref<66x34xf64>, %[[N:.*]]: index, %[[B:.*]]: memref<66x34xf64>) -> f64
// CHECK:         %[[U:.*]] = stencil.external_load %[[A]] : memref<66x34xf64> -> !stencil.field<[-1,65]x[-1,33]xf64>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      %[[T:.*]] = stencil.load %[[U]]
// CHECK-NEXT:      %[[S:.*]] = stencil.apply(%{{.*}} = %[[T]]
// CHECK-NEXT:        stencil.access %{{.*}}[-1, 0]
// CHECK-NEXT:        stencil.access %{{.*}}[1, 0]
// CHECK:           %[[P:.*]] = stencil.apply(%{{.*}} = %[[S]]
// CHECK:           %[[C:.*]] = stencil.apply(%{{.*}} = %[[P]]
// CHECK:           stencil.store %[[C]] to %[[U]](<[0, 0], [64, 32]>)
// CHECK:         %[[L:.*]] = stencil.load %[[U]]
// CHECK:         stencil.fold %[[L]](<[-1, -1], [65, 33]>) sum
// CHECK:         memref.copy %[[A]], %[[B]]
func.func @steps(%u: tensor<66x34xf64>, %n: index) -> (tensor<66x34xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%x = %u) -> tensor<66x34xf64> {
    %l = tensor.extract_slice %x[0, 1] [64, 32] [1, 1] : tensor<66x34xf64> to tensor<64x32xf64>
    %s = tensor.extract_slice %x[2, 1] [64, 32] [1, 1] : tensor<66x34xf64> to tensor<64x32xf64>
    %e = tensor.empty() : tensor<64x32xf64>
    %m = linalg.sub ins(%l, %s : tensor<64x32xf64>, tensor<64x32xf64>) outs(%e : tensor<64x32xf64>) -> tensor<64x32xf64>
    %q = linalg.map { arith.mulf } ins(%m, %m : tensor<64x32xf64>, tensor<64x32xf64>) outs(%e : tensor<64x32xf64>)
    %y = tensor.insert_slice %q into %x[1, 1] [64, 32] [1, 1] : tensor<64x32xf64> into tensor<66x34xf64>
    scf.yield %y : tensor<66x34xf64>
  }
  %i = tensor.from_elements %zero : tensor<f64>
  %sum = linalg.reduce ins(%r : tensor<66x34xf64>) outs(%i : tensor<f64>) dimensions = [0, 1]
    (%a: f64, %b: f64) {
      %ab = arith.addf %a, %b : f64
      linalg.yield %ab : f64
    }
  %f = tensor.extract %sum[] : tensor<f64>
  return %r, %f : tensor<66x34xf64>, f64
}

// Extents that are known at run time: the temporary array has those of the slices, and what is returned is one more argument.
// CHECK-LABEL: func.func @open(
// CHECK-SAME:    %[[A:.*]]: !stencil.field<?xf64>, %{{.*}}: f64, %[[B:.*]]: !stencil.field<?xf64>
// CHECK-DAG:     %[[U:.*]] = stencil.cast %[[A]] : !stencil.field<?xf64> -> !stencil.field<[-1,?+1]xf64>
// CHECK-DAG:     %[[V:.*]] = stencil.cast %[[B]] : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
// CHECK:         stencil.store %{{.*}} to %[[V]](<[0], [?]>)
// CHECK-NOT:     memref
func.func @open(%u: tensor<?xf64>, %k: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %u, %c0 : tensor<?xf64>
  %m = arith.subi %n, %c2 : index
  %l = tensor.extract_slice %u[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %r = tensor.extract_slice %u[2] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %e = tensor.empty(%m) : tensor<?xf64>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%l, %r : tensor<?xf64>, tensor<?xf64>) outs(%e : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %ab = arith.addf %a, %b : f64
    %p = arith.mulf %ab, %k : f64
    linalg.yield %p : f64
  } -> tensor<?xf64>
  return %s : tensor<?xf64>
}
