// Sums and extrema over all points become folds.
// RUN: stencil-opt %s --stencil-raise-loops --canonicalize --cse | FileCheck %s

// In parallel: any order. What is stored and what is combined are results of one apply.
// CHECK-LABEL: func.func @residual(
// CHECK:         %[[R:.*]]:2 = stencil.apply(%[[U:.*]] = %{{.*}} : !stencil.temp<?x?xf64>)
// CHECK:           %[[N:.*]] = arith.mulf
// CHECK:           %[[D:.*]] = arith.subf
// CHECK:           %[[S:.*]] = arith.mulf %[[D]], %[[D]]
// CHECK:           stencil.return %[[N]], %[[S]] : f64, f64
// CHECK:         stencil.store %[[R]]#0 to %{{.*}}(<[0, 0], [?, ?]>)
// CHECK:         %[[F:.*]] = stencil.fold %[[R]]#1(<[0, 0], [?, ?]>) sum
// CHECK:         return %[[F]] : f64
func.func @residual(%u: memref<?x?xf64>, %v: memref<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %n = memref.dim %u, %c0 : memref<?x?xf64>
  %m = memref.dim %u, %c1 : memref<?x?xf64>
  %ne = arith.subi %n, %c1 : index
  %me = arith.subi %m, %c1 : index
  %s = scf.parallel (%i, %j) = (%c1, %c1) to (%ne, %me) step (%c1, %c1) init (%zero) -> f64 {
    %im = arith.subi %i, %c1 : index
    %ip = arith.addi %i, %c1 : index
    %a = memref.load %u[%im, %j] : memref<?x?xf64>
    %b = memref.load %u[%ip, %j] : memref<?x?xf64>
    %c = memref.load %u[%i, %j] : memref<?x?xf64>
    %ab = arith.addf %a, %b : f64
    %new = arith.mulf %ab, %half : f64
    memref.store %new, %v[%i, %j] : memref<?x?xf64>
    %d = arith.subf %new, %c : f64
    %dd = arith.mulf %d, %d : f64
    scf.reduce(%dd : f64) {
    ^bb0(%x: f64, %y: f64):
      %xy = arith.addf %x, %y : f64
      scf.reduce.return %xy : f64
    }
  }
  return %s : f64
}

// From loop to loop; what the loop begins with is joined with the fold.
// CHECK-LABEL: func.func @largest(
// CHECK-SAME:    %{{.*}}: memref<8x9xf32>, %[[K:.*]]: f32
// CHECK:         %[[T:.*]] = stencil.load
// CHECK-NOT:     stencil.apply
// CHECK:         %[[F:.*]] = stencil.fold %[[T]](<[0, 0], [8, 9]>) max : !stencil.temp<?x?xf32>
// CHECK:         %[[M:.*]] = arith.maximumf %[[K]], %[[F]]
// CHECK:         return %[[M]]
func.func @largest(%u: memref<8x9xf32>, %k: f32) -> f32 {
  %m = affine.for %i = 0 to 8 iter_args(%outer = %k) -> f32 {
    %r = affine.for %j = 0 to 9 iter_args(%inner = %outer) -> f32 {
      %x = affine.load %u[%i, %j] : memref<8x9xf32>
      %n = arith.maximumf %inner, %x : f32
      affine.yield %n : f32
    }
    affine.yield %r : f32
  }
  return %m : f32
}

// Two at once, of values of other types; taps are unrolled.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[R:.*]]:2 = stencil.apply
// CHECK-COUNT-3:   stencil.access
// CHECK:           stencil.return %{{.*}}, %{{.*}} : f64, i64
// CHECK:         stencil.fold %[[R]]#0(<[0], [62]>) min
// CHECK:         %[[I:.*]] = stencil.fold %[[R]]#1(<[0], [62]>) sum : !stencil.temp<?xi64>
// CHECK:         arith.addi %{{.*}}, %[[I]] : i64
func.func @two(%u: memref<64xf64>, %n: i64) -> (f64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c62 = arith.constant 62 : index
  %zero = arith.constant 0.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %r:2 = scf.for %i = %c0 to %c62 step %c1 iter_args(%least = %inf, %count = %n) -> (f64, i64) {
    %sum = scf.for %d = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> f64 {
      %p = arith.addi %i, %d : index
      %x = memref.load %u[%p] : memref<64xf64>
      %s = arith.addf %acc, %x : f64
      scf.yield %s : f64
    }
    %l = arith.minimumf %least, %sum : f64
    %is = arith.cmpf olt, %sum, %zero : f64
    %one = arith.extui %is : i1 to i64
    %c = arith.addi %one, %count : i64
    scf.yield %l, %c : f64, i64
  }
  return %r#0, %r#1 : f64, i64
}

// A sum in memory, as linalg has it, and as a front end without iter_args writes it.
// CHECK-LABEL: func.func @in_memory(
// CHECK:         %[[B:.*]] = memref.load %[[OUT:.*]][] : memref<f64>
// CHECK:         %[[F:.*]] = stencil.fold %{{.*}}(<[0, 0], [?, ?]>) sum
// CHECK:         %[[S:.*]] = arith.addf %[[B]], %[[F]] fastmath<reassoc>
// CHECK:         memref.store %[[S]], %[[OUT]][] : memref<f64>
// CHECK:         memref.load %[[LAST:.*]][%{{.*}}] : memref<2xf64>
// CHECK:         stencil.fold %{{.*}}(<[0, 0], [?, ?]>) max
// CHECK:         memref.store %{{.*}}, %[[LAST]][%{{.*}}] : memref<2xf64>
func.func @in_memory(%u: memref<?x?xf64>, %v: memref<?x?xf64>, %out: memref<f64>, %last: memref<2xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%u, %v : memref<?x?xf64>, memref<?x?xf64>) outs(%out : memref<f64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  }
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = memref.dim %u, %c0 : memref<?x?xf64>
  %m = memref.dim %u, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %u[%i, %j] : memref<?x?xf64>
      %l = affine.load %last[1] : memref<2xf64>
      %s = arith.maximumf %l, %x : f64
      affine.store %s, %last[1] : memref<2xf64>
    }
  }
  return
}
