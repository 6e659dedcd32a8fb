// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=256 stream-stores=false columns=1" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// Rows as vectors of four f64; the three points that are left by a vector that
// reaches back and stores its last lanes only.

// CHECK-LABEL: func @row_of_seven
// CHECK-SAME: %[[IN:[^:]*]]: memref<9xf64>, %[[OUT:[^:]*]]: memref<7xf64>
// CHECK-NOT: scf.parallel
// CHECK: %[[L:.*]] = vector.load %[[IN]][%c0] : memref<9xf64>, vector<4xf64>
// CHECK: %[[R:.*]] = vector.load %[[IN]][%c2] : memref<9xf64>, vector<4xf64>
// CHECK: %[[S:.*]] = arith.addf %[[L]], %[[R]] : vector<4xf64>
// CHECK: vector.store %[[S]], %[[OUT]][%c0]
// CHECK: vector.maskedstore %[[OUT]][%c3]
func.func @row_of_seven(%u: !stencil.field<[-1,8]xf64>, %v: !stencil.field<[0,7]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,8]xf64>) outs (%v : !stencil.field<[0,7]xf64>) {
    %l = stencil.access %x[-1] : !stencil.field<[-1,8]xf64>
    %r = stencil.access %x[1] : !stencil.field<[-1,8]xf64>
    %s = arith.addf %l, %r : f64
    stencil.return %s : f64
  } to <[0], [7]>
  return
}

// -----

// A row shorter than a vector goes point by point, and LLVM is told to leave it.

// CHECK: #[[NO_VECTORS:.*]] = #llvm.loop_vectorize<disable = true>
// CHECK: #[[LOOP:.*]] = #llvm.loop_annotation<vectorize = #[[NO_VECTORS]]
// CHECK-LABEL: func @short_row
// CHECK-NOT: vector.load
// CHECK: memref.load
// CHECK: memref.store
// CHECK: {loop_annotation = #[[LOOP]]}
func.func @short_row(%u: !stencil.field<[0,3]xf64>, %v: !stencil.field<[0,3]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,3]xf64>) outs (%v : !stencil.field<[0,3]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,3]xf64>
    stencil.return %a : f64
  } to <[0], [3]>
  return
}

// -----

// Large domains are tiled and run on threads.

// CHECK-LABEL: func @parallel_rows
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c128) step (%c16)
func.func @parallel_rows(%u: !stencil.field<[0,128]x[0,128]xf32>, %v: !stencil.field<[0,128]x[0,128]xf32>) {
  stencil.apply(%x = %u : !stencil.field<[0,128]x[0,128]xf32>) outs (%v : !stencil.field<[0,128]x[0,128]xf32>) {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,128]x[0,128]xf32>
    stencil.return %a : f32
  } to <[0, 0], [128, 128]>
  return
}

// -----

// Bounds relative to the extent come from the buffer at run time.

// CHECK-LABEL: func @any_size
// CHECK-SAME: %[[IN:[^:]*]]: memref<?x?xf64>
// CHECK-DAG: %[[D0:.*]] = memref.dim %[[IN]], %c0
// CHECK-DAG: %[[N0:.*]] = arith.addi %[[D0]], %c-2
// CHECK: cf.assert {{.*}} "{{.*}}expected an interior extent of at least 1 on axis 0"
// CHECK: cf.assert {{.*}} "{{.*}}the interior extent of axis 0 differs from that of another field"
// CHECK: scf.parallel
func.func @any_size(%a: !stencil.field<?x?xf64>, %b: !stencil.field<?x?xf64>) {
  %u = stencil.cast %a : !stencil.field<?x?xf64> -> !stencil.field<[-1,?+1]x[-1,?+1]xf64>
  %v = stencil.cast %b : !stencil.field<?x?xf64> -> !stencil.field<[0,?]x[0,?]xf64>
  stencil.apply(%x = %u : !stencil.field<[-1,?+1]x[-1,?+1]xf64>) outs (%v : !stencil.field<[0,?]x[0,?]xf64>) {
    %c = stencil.access %x[1, -1] : !stencil.field<[-1,?+1]x[-1,?+1]xf64>
    stencil.return %c : f64
  } to <[0, 0], [?, ?]>
  return
}

// -----

// An input of lower rank: a row of it where it has the last axis, else one value
// for the whole vector.

// CHECK-LABEL: func @lower_rank
// CHECK: %[[ROW:.*]] = vector.load %{{.*}}[%{{.*}}] : memref<16xf64>, vector<4xf64>
// CHECK: %[[POINT:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<16xf64>
// CHECK: %[[ALL:.*]] = vector.broadcast %[[POINT]] : f64 to vector<4xf64>
// CHECK: arith.mulf %[[ROW]], %[[ALL]]
func.func @lower_rank(%u: !stencil.field<[0,16]xf64>, %v: !stencil.field<[0,16]x[0,16]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,16]xf64>) outs (%v : !stencil.field<[0,16]x[0,16]xf64>) {
    %row = stencil.access %x[_, 0] : !stencil.field<[0,16]xf64>
    %column = stencil.access %x[0, _] : !stencil.field<[0,16]xf64>
    %p = arith.mulf %row, %column : f64
    stencil.return %p : f64
  } to <[0, 0], [16, 16]>
  return
}

// -----

// A branch that differs from lane to lane is a selection; where nothing is to be
// stored, the lane is masked out.

// CHECK-LABEL: func @branch
// CHECK: %[[C:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} {{.*}}: vector<4xf64>
// CHECK-NOT: scf.if
// CHECK: %[[SET:.*]] = arith.select %[[C]], %{{.*}} : vector<4xi1>, vector<4xi1>
// CHECK: vector.maskedstore %{{.*}}[%{{.*}}], %[[SET]], %{{.*}}
func.func @branch(%u: !stencil.field<[0,16]xf64>, %v: !stencil.field<[0,16]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,16]xf64>) outs (%v : !stencil.field<[0,16]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,16]xf64>
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpf ogt, %a, %zero : f64
    %r = scf.if %c -> (!stencil.result<f64>) {
      %s = stencil.store_result %a : !stencil.result<f64>
      scf.yield %s : !stencil.result<f64>
    } else {
      %s = stencil.store_result : !stencil.result<f64>
      scf.yield %s : !stencil.result<f64>
    }
    stencil.return %r : !stencil.result<f64>
  } to <[0], [16]>
  return
}

// -----

// A dynamic access is checked against its range before memory is touched.

// CHECK-LABEL: func @dynamic
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi sle
// CHECK: cf.assert %{{.*}}, "{{.*}}dynamic access outside of its declared range"
// CHECK: memref.load
func.func @dynamic(%u: !stencil.field<[-1,17]xf64>, %p: !stencil.field<[0,16]xi32>, %v: !stencil.field<[0,16]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[-1,17]xf64>, %y = %p : !stencil.field<[0,16]xi32>) outs (%v : !stencil.field<[0,16]xf64>) {
    %o = stencil.access %y[0] : !stencil.field<[0,16]xi32>
    %i = arith.index_cast %o : i32 to index
    %a = stencil.dyn_access %x[%i] in <[-1]> : <[1]> : !stencil.field<[-1,17]xf64>
    stencil.return %a : f64
  } to <[0], [16]>
  return
}

// -----

// An unrolled return: the loop steps over the group, each value has its place.

// CHECK-LABEL: func @unrolled
// CHECK: scf.for %[[I:.*]] = %c0 to %c16 step %c2
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK: memref.store %{{.*}}, %[[OUT:.*]][%[[I]]]
// CHECK: memref.store %{{.*}}, %[[OUT]][%[[NEXT]]]
func.func @unrolled(%u: !stencil.field<[0,16]xf64>, %v: !stencil.field<[0,16]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,16]xf64>) outs (%v : !stencil.field<[0,16]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,16]xf64>
    %b = stencil.access %x[1] : !stencil.field<[0,16]xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %a, %c unroll <[2]> : f64, f64
  } to <[0], [16]>
  return
}
