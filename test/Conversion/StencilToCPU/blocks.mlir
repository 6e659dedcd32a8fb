// RUN: stencil-opt %s --stencil-shape-loops="core-cache-bytes=1048576 threads=2 rows=1" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-shape-loops="core-cache-bytes=1048576 threads=64 rows=1" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=MANY
// RUN: stencil-opt %s --stencil-shape-loops="core-cache-bytes=0 rows=1" --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=OFF

// Five planes of 256 rows exceed half of the cache. Each row of a block takes
// 5 + 1 rows of 2 KiB, and its neighbours 4: 256 rows hold floor(252 / 6) = 42
// of a block; seven blocks of 37 rows. Walks of 16 times the window's depth, or
// of twice the depth where many threads want work.

// CHECK-LABEL: func @star
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0) to (%c256, %c256) step (%c64, %c37)
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for

// MANY-LABEL: func @star
// MANY: scf.parallel {{.*}} step (%c8, %c37)

// OFF-LABEL: func @star
// OFF: scf.parallel {{.*}} = (%c0) to (%c256) step (%c8)
!u = !stencil.field<[-2,258]x[-2,258]x[0,256]xf64>
!v = !stencil.field<[0,256]x[0,256]x[0,256]xf64>
func.func @star(%u: !u, %v: !v) {
  stencil.apply(%x = %u : !u) outs (%v : !v) {
    %0 = stencil.access %x[-2, 0, 0] : !u
    %1 = stencil.access %x[-1, 0, 0] : !u
    %2 = stencil.access %x[0, -2, 0] : !u
    %3 = stencil.access %x[0, 2, 0] : !u
    %4 = stencil.access %x[1, 0, 0] : !u
    %5 = stencil.access %x[2, 0, 0] : !u
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    %c = arith.addf %b, %3 : f64
    %d = arith.addf %c, %4 : f64
    %e = arith.addf %d, %5 : f64
    stencil.return %e : f64
  } to <[0, 0, 0], [256, 256, 256]>
  return
}

// -----

// Walks of about equal length: 13 planes, where 16 would leave a rest of 2.

// CHECK-LABEL: func @equal_walks
// CHECK: scf.parallel {{.*}} = (%c0, %c0) to (%c50, %c256) step (%c13, %c37)
!u = !stencil.field<[0,51]x[0,256]x[0,512]xf64>
!v = !stencil.field<[0,50]x[0,256]x[0,512]xf64>
func.func @equal_walks(%u: !u, %v: !v) {
  stencil.apply(%x = %u : !u) outs (%v : !v) {
    %0 = stencil.access %x[0, 0, 0] : !u
    %1 = stencil.access %x[1, 0, 0] : !u
    %a = arith.addf %0, %1 : f64
    stencil.return %a : f64
  } to <[0, 0, 0], [50, 256, 512]>
  return
}

// -----

// Planes of 64 rows fit.

// CHECK-LABEL: func @small_planes
// CHECK: scf.parallel {{.*}} = (%c0) to (%c256) step (%c8)
!u = !stencil.field<[-1,257]x[0,64]x[0,64]xf64>
!v = !stencil.field<[0,256]x[0,64]x[0,64]xf64>
func.func @small_planes(%u: !u, %v: !v) {
  stencil.apply(%x = %u : !u) outs (%v : !v) {
    %0 = stencil.access %x[-1, 0, 0] : !u
    %1 = stencil.access %x[1, 0, 0] : !u
    %a = arith.addf %0, %1 : f64
    stencil.return %a : f64
  } to <[0, 0, 0], [256, 64, 64]>
  return
}

// -----

// Rows so long that four of them do not fit; and planes that have nothing in
// common.

// CHECK-LABEL: func @long_rows
// CHECK: scf.parallel {{.*}} = (%c0) to (%c256) step (%c8)
// CHECK: scf.parallel {{.*}} = (%c0) to (%c256) step (%c8)
!u = !stencil.field<[-1,257]x[-1,65]x[0,32768]xf64>
!v = !stencil.field<[0,256]x[0,64]x[0,32768]xf64>
func.func @long_rows(%u: !u, %v: !v) {
  stencil.apply(%x = %u : !u) outs (%v : !v) {
    %0 = stencil.access %x[-1, 0, 0] : !u
    %1 = stencil.access %x[1, 0, 0] : !u
    %a = arith.addf %0, %1 : f64
    stencil.return %a : f64
  } to <[0, 0, 0], [256, 64, 32768]>
  stencil.apply(%x = %u : !u) outs (%v : !v) {
    %0 = stencil.access %x[0, -1, 0] : !u
    %1 = stencil.access %x[0, 1, 0] : !u
    %a = arith.addf %0, %1 : f64
    stencil.return %a : f64
  } to <[0, 0, 0], [256, 64, 32768]>
  return
}

// -----

// Where extents are open, the same is computed when the program runs.

// CHECK-LABEL: func @any_size
// CHECK: scf.if
// CHECK: %[[PAYS:.*]] = arith.andi
// CHECK-DAG: %[[PLANES:.*]] = arith.select %[[PAYS]], %{{.*}}, %c1
// CHECK-DAG: %[[ROWS:.*]] = arith.select %[[PAYS]]
// Few points are one tile.
// CHECK: %[[SOME_PLANES:.*]] = arith.select %{{.*}}, %{{.*}}, %[[PLANES]]
// CHECK: %[[SOME_ROWS:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ROWS]]
// CHECK: scf.parallel {{.*}} step (%[[SOME_PLANES]], %[[SOME_ROWS]])
!u = !stencil.field<[-1,?+1]x[0,?]x[0,?]xf32>
!v = !stencil.field<[0,?]x[0,?]x[0,?]xf32>
func.func @any_size(%a: !stencil.field<?x?x?xf32>, %b: !stencil.field<?x?x?xf32>) {
  %u = stencil.cast %a : !stencil.field<?x?x?xf32> -> !u
  %v = stencil.cast %b : !stencil.field<?x?x?xf32> -> !v
  stencil.apply(%x = %u : !u) outs (%v : !v) {
    %0 = stencil.access %x[-1, 0, 0] : !u
    %1 = stencil.access %x[1, 0, 0] : !u
    %s = arith.addf %0, %1 : f32
    stencil.return %s : f32
  } to <[0, 0, 0], [?, ?, ?]>
  return
}
