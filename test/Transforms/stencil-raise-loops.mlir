// RUN: stencil-opt %s --stencil-raise-loops --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s --stencil-raise-loops="field-arguments" --canonicalize --cse | FileCheck %s --check-prefix=FIELDS

// Bounds and extents that are known at run time; a loop over steps that copies back.
// CHECK-LABEL: func.func @jacobi(
// CHECK-SAME:    %[[A:[a-z0-9_]+]]: memref<?x8xf64>, %[[B:[a-z0-9_]+]]: memref<?x8xf64>, %[[N:[a-z0-9_]+]]: index
// CHECK:         %[[AX:[a-z0-9_]+]] = stencil.external_load %[[A]] : memref<?x8xf64> -> !stencil.field<?x?xf64>
// CHECK:         %[[U:[a-z0-9_]+]] = stencil.cast %[[AX]] : !stencil.field<?x?xf64> -> !stencil.field<[-1,?+1]x[-2,6]xf64>
// CHECK:         %[[BX:[a-z0-9_]+]] = stencil.external_load %[[B]]
// CHECK:         %[[V:[a-z0-9_]+]] = stencil.cast %[[BX]] : !stencil.field<?x?xf64> -> !stencil.field<[-1,?+1]x[-2,6]xf64>
// CHECK:         %[[D:[a-z0-9_]+]] = memref.dim %[[A]]
// CHECK:         %[[H:[a-z0-9_]+]] = arith.cmpi eq, %[[N]], %[[D]]
// CHECK:         cf.assert %[[H]], "expected the bounds of loops over axis 0 to fit the extents of the arrays"
// CHECK:         scf.for
// CHECK:           %[[T:[a-z0-9_]+]] = stencil.load %[[U]]
// CHECK:           %[[R:[a-z0-9_]+]] = stencil.apply(%[[X:[a-z0-9_]+]] = %[[T]] : !stencil.temp<?x?xf64>)
// CHECK:             %[[C0:[a-z0-9_]+]] = stencil.access %[[X]][-1, 0]
// CHECK:             %[[C1:[a-z0-9_]+]] = stencil.access %[[X]][0, 2]
// CHECK:             %[[S:[a-z0-9_]+]] = arith.addf %[[C0]], %[[C1]] fastmath<contract>
// CHECK:             stencil.return %[[S]]
// CHECK:           stencil.store %[[R]] to %[[V]](<[0, 0], [?, 4]>)
// CHECK:           %[[T2:[a-z0-9_]+]] = stencil.load %[[V]]
// CHECK:           stencil.store %{{.*}} to %[[U]](<[0, 0], [?, 4]>)
// FIELDS-LABEL: func.func @jacobi(
func.func @jacobi(%a: memref<?x8xf64>, %b: memref<?x8xf64>, %n: index, %steps: index) {
  affine.for %t = 0 to %steps {
    affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
      affine.for %j = 2 to 6 {
        %0 = affine.load %a[%i - 1, %j] : memref<?x8xf64>
        %1 = affine.load %a[%i, %j + 2] : memref<?x8xf64>
        %2 = arith.addf %0, %1 fastmath<contract> : f64
        affine.store %2, %b[%i, %j] : memref<?x8xf64>
      }
    }
    affine.parallel (%i, %j) = (1, 2) to (symbol(%n) - 1, 6) {
      %0 = affine.load %b[%i, %j] : memref<?x8xf64>
      affine.store %0, %a[%i, %j] : memref<?x8xf64>
    }
  }
  return
}

// A loop that swaps memrefs swaps fields.
// FIELDS-LABEL: func.func @swap(
// FIELDS-SAME:    %[[A:[a-z0-9_]+]]: !stencil.field<?xf64>, %[[B:[a-z0-9_]+]]: !stencil.field<?xf64>
// FIELDS:         %[[U:[a-z0-9_]+]] = stencil.cast %[[A]] : !stencil.field<?xf64> -> !stencil.field<[-1,?]xf64>
// FIELDS:         %[[V:[a-z0-9_]+]] = stencil.cast %[[B]]
// FIELDS-NOT:     memref
// FIELDS:         scf.for {{.*}} iter_args(%[[X:[a-z0-9_]+]] = %[[U]], %[[Y:[a-z0-9_]+]] = %[[V]])
// FIELDS:           stencil.load %[[X]]
// FIELDS:           stencil.store %{{.*}} to %[[Y]](<[0], [?]>)
// FIELDS:           scf.yield %[[Y]], %[[X]]
func.func @swap(%u: memref<?xf64>, %v: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (memref<?xf64>, memref<?xf64>) {
    %d = memref.dim %a, %c0 : memref<?xf64>
    scf.for %i = %c1 to %d step %c1 {
      %l = arith.subi %i, %c1 : index
      %x = memref.load %a[%l] : memref<?xf64>
      %y = memref.load %a[%i] : memref<?xf64>
      %s = arith.addf %x, %y : f64
      memref.store %s, %b[%i] : memref<?xf64>
    }
    scf.yield %b, %a : memref<?xf64>, memref<?xf64>
  }
  return
}

// Stores in branches; what was stored is read again; the induction variable as a number.
// CHECK-LABEL: func.func @branches(
// CHECK:         %[[R:[a-z0-9_]+]]:2 = stencil.apply(%[[U:[a-z0-9_]+]] = %{{.*}}, %[[V:[a-z0-9_]+]] = %{{.*}}, %[[K:[a-z0-9_]+]] = %{{.*}} : f64)
// CHECK:           %[[I:[a-z0-9_]+]] = stencil.index 0 <[1]>
// CHECK:           %[[A:[a-z0-9_]+]] = stencil.access %[[U]][0]
// CHECK:           %[[W:[a-z0-9_]+]] = scf.if %{{.*}} -> (f64) {
// CHECK:             %[[M:[a-z0-9_]+]] = arith.mulf %[[A]], %[[K]]
// CHECK:             scf.yield %[[M]]
// CHECK:           } else {
// CHECK:             %[[O:[a-z0-9_]+]] = stencil.access %[[V]][0]
// CHECK:             scf.yield %[[O]]
// CHECK:           }
// CHECK:           %[[N:[a-z0-9_]+]] = arith.index_cast %[[I]]
// CHECK:           stencil.return %[[W]], %[[N]] : f64, i32
// CHECK:         stencil.store %[[R]]#0 to %{{.*}}(<[0], [62]>)
func.func @branches(%u: memref<64xf64>, %v: memref<64xf64>, %w: memref<64xi32>, %k: f64) {
  affine.for %i = 1 to 63 {
    %a = affine.load %u[%i] : memref<64xf64>
    %c = arith.cmpf ogt, %a, %k : f64
    scf.if %c {
      %s = arith.mulf %a, %k : f64
      affine.store %s, %v[%i] : memref<64xf64>
    }
    %x = affine.load %v[%i] : memref<64xf64>
    %n = arith.index_cast %i : index to i32
    affine.store %n, %w[%i] : memref<64xi32>
    affine.store %x, %v[%i] : memref<64xf64>
  }
  return
}

// A loop over taps, tiles, and arrays of lower rank.
// CHECK-LABEL: func.func @taps(
// CHECK:         stencil.apply(%[[C:[a-z0-9_]+]] = %{{.*}} : !stencil.temp<?xf64>, %[[U:[a-z0-9_]+]] = %{{.*}} : !stencil.temp<?x?xf64>)
// CHECK:           stencil.access %[[C]][0, _]
// CHECK:           stencil.access %[[U]][0, -1]
// CHECK:           stencil.access %[[U]][0, 0]
// CHECK:           stencil.access %[[U]][0, 1]
// CHECK:         stencil.store %{{.*}} to %{{.*}}(<[0, 0], [40, 48]>)
func.func @taps(%u: memref<40x50xf64>, %c: memref<40xf64>, %v: memref<40x50xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %cm1 = arith.constant -1 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %c49 = arith.constant 49 : index
  scf.parallel (%it) = (%c0) to (%c40) step (%c16) {
    %next = arith.addi %it, %c16 : index
    %end = arith.minsi %next, %c40 : index
    scf.for %i = %it to %end step %c1 {
      %k = memref.load %c[%i] : memref<40xf64>
      scf.for %j = %c1 to %c49 step %c1 {
        %sum = scf.for %d = %cm1 to %c2 step %c1 iter_args(%acc = %k) -> (f64) {
          %p = arith.addi %j, %d : index
          %x = memref.load %u[%i, %p] : memref<40x50xf64>
          %s = arith.addf %acc, %x : f64
          scf.yield %s : f64
        }
        memref.store %sum, %v[%i, %j] : memref<40x50xf64>
      }
    }
  }
  return
}

// Two boxes in one nest, in place: the first and the last column are not where others read.
// CHECK-LABEL: func.func @halo(
// CHECK:         %[[T:[a-z0-9_]+]] = stencil.load
// CHECK:         %[[A:[a-z0-9_]+]] = stencil.apply(%[[X:[a-z0-9_]+]] = %[[T]]
// CHECK-NEXT:      stencil.access %[[X]][0, 1]
// CHECK:         %[[B:[a-z0-9_]+]] = stencil.apply(%[[Y:[a-z0-9_]+]] = %[[T]]
// CHECK-NEXT:      stencil.access %[[Y]][0, -1]
// CHECK:         stencil.store %[[A]] to %{{.*}}(<[-1, -1], [39, 0]>)
// CHECK:         stencil.store %[[B]] to %{{.*}}(<[-1, 48], [39, 49]>)
// CHECK:         stencil.store %{{.*}} to %{{.*}}(<[0, 0], [38, 48]>)
func.func @halo(%u: memref<40x50xf64>) {
  affine.for %i = 0 to 40 {
    %0 = affine.load %u[%i, 1] : memref<40x50xf64>
    affine.store %0, %u[%i, 0] : memref<40x50xf64>
    %1 = affine.load %u[%i, 48] : memref<40x50xf64>
    affine.store %1, %u[%i, 49] : memref<40x50xf64>
  }
  affine.for %i = 1 to 39 {
    affine.for %j = 1 to 49 {
      %0 = affine.load %u[%i, %j] : memref<40x50xf64>
      %1 = arith.negf %0 : f64
      affine.store %1, %u[%i, %j] : memref<40x50xf64>
    }
  }
  return
}

// Convolutions: weights are scalars; axes of one point, channels here, stay.
// CHECK-LABEL: func.func @convolutions(
// CHECK:         %[[W:[a-z0-9_]+]] = memref.load %{{.*}} : memref<2x3xf32>
// CHECK:         stencil.apply(%[[U:[a-z0-9_]+]] = {{.*}} : f32) -> (!stencil.temp<?x?xf32>)
// CHECK-COUNT-6:   stencil.access %[[U]][{{0|1}}, {{-1|0|1}}]
// CHECK:         stencil.store %{{.*}} to %{{.*}}(<[0, 0], [?, ?]>)
// CHECK:         stencil.apply
// CHECK:           stencil.access %{{.*}}[0, -1, 0]
// CHECK:           stencil.access %{{.*}}[0, 0, 0]
// CHECK:           stencil.access %{{.*}}[0, 1, 0]
// CHECK:         stencil.store %{{.*}} to %{{.*}}(<[0, 0, 0], [1, 18, 1]>)
func.func @convolutions(%u: memref<?x?xf32>, %w: memref<2x3xf32>, %v: memref<?x?xf32>,
    %x: memref<1x20x1xf32>, %f: memref<3x1x1xf32>, %y: memref<1x18x1xf32>) {
  linalg.conv_2d ins(%u, %w : memref<?x?xf32>, memref<2x3xf32>) outs(%v : memref<?x?xf32>)
  linalg.conv_1d_nwc_wcf ins(%x, %f : memref<1x20x1xf32>, memref<3x1x1xf32>) outs(%y : memref<1x18x1xf32>)
  return
}

// Two pairs of memrefs of different types, and one array twice, which no loop can carry as two fields.
// CHECK-LABEL: func.func @pairs(
// CHECK:         scf.for {{.*}} -> (!stencil.field<[-1,7]xf64>, !stencil.field<[0,4]xf32>, !stencil.field<[-1,7]xf64>, !stencil.field<[0,4]xf32>)
// CHECK:         scf.for %{{.*}} step %{{[a-z0-9_]+}} {
// CHECK-NEXT:      stencil.external_load
func.func @pairs(%u: memref<8xf64>, %v: memref<8xf64>, %p: memref<4xf32>, %q: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %t = %c0 to %n step %c1 iter_args(%a = %u, %c = %p, %b = %v, %d = %q) -> (memref<8xf64>, memref<4xf32>, memref<8xf64>, memref<4xf32>) {
    affine.for %i = 1 to 7 {
      %0 = affine.load %a[%i - 1] : memref<8xf64>
      affine.store %0, %b[%i] : memref<8xf64>
    }
    affine.for %i = 0 to 4 {
      %0 = affine.load %c[%i] : memref<4xf32>
      affine.store %0, %d[%i] : memref<4xf32>
    }
    scf.yield %b, %d, %a, %c : memref<8xf64>, memref<4xf32>, memref<8xf64>, memref<4xf32>
  }
  %s:2 = scf.for %t = %c0 to %n step %c1 iter_args(%a = %u, %b = %u) -> (memref<8xf64>, memref<8xf64>) {
    affine.for %i = 1 to 7 {
      %0 = affine.load %a[%i - 1] : memref<8xf64>
      affine.store %0, %v[%i] : memref<8xf64>
    }
    scf.yield %b, %a : memref<8xf64>, memref<8xf64>
  }
  return
}

// What is stored is read again, for a store that is another apply: that computes it, too, and does not read what was
// there before.
// CHECK-LABEL: func.func @handed_on
// CHECK: %[[U:.*]] = stencil.load
// CHECK-NOT: stencil.load
// CHECK: %[[V:.*]] = stencil.apply(%{{.*}} = %[[U]] :
// CHECK: %[[W:.*]] = stencil.apply(%[[X:.*]] = %[[U]] :
// CHECK: %[[A:.*]] = stencil.access %[[X]][0, _]
// CHECK: %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CHECK: stencil.return %[[B]]
// CHECK: stencil.store %[[V]] to %{{.*}}(<[0], [64]>)
// CHECK: stencil.store %[[W]] to %{{.*}}(<[0, 1], [64, 2]>)
func.func @handed_on(%u: memref<64xf64>, %v: memref<64xf64>, %w: memref<64x3xf64>) {
  affine.for %i = 0 to 64 {
    %0 = affine.load %u[%i] : memref<64xf64>
    %1 = arith.addf %0, %0 : f64
    affine.store %1, %v[%i] : memref<64xf64>
    %2 = affine.load %v[%i] : memref<64xf64>
    affine.store %2, %w[%i, 1] : memref<64x3xf64>
  }
  return
}

// A sum over no taps is what it begins with.
// CHECK-LABEL: func.func @no_taps
// CHECK: stencil.apply() ->
// CHECK-NEXT: %[[ONE:[a-z0-9_]+]] = arith.constant 1.000000e+00
// CHECK-NEXT: stencil.return %[[ONE]] : f64
func.func @no_taps(%u: memref<8xf64>, %v: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to 8 {
    %s = scf.for %j = %c0 to %c0 step %c1 iter_args(%a = %one) -> f64 {
      %0 = memref.load %u[%j] : memref<8xf64>
      %1 = arith.addf %a, %0 : f64
      scf.yield %1 : f64
    }
    affine.store %s, %v[%i] : memref<8xf64>
  }
  return
}
