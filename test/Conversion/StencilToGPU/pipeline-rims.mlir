// Beside the tile: groups of a row in vectors, then columns point by point.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse | FileCheck %s

!field = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?x?xf64>

// A row of 16 points before the tile and one behind it are 16 groups, for the first of 32 threads; six rows of one point at either side are 12
// points for the next. What two points read they read once: their own and their neighbours' columns in three vectors, the rows above and below in one each.
// CHECK-LABEL: gpu.func @some_pipeline0
// CHECK-DAG: %[[READ:.*]] = memref.view %{{.*}}[%c0]
// CHECK-DAG: %[[MADE:.*]] = memref.view %{{.*}}[%c4608]
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %[[THREAD:.*]], %c28_i32
// CHECK: %[[ROW:.*]] = arith.cmpi slt, %[[THREAD]], %c16_i32
// CHECK: %[[BEHIND:.*]] = arith.cmpi sge, %[[THREAD]], %c16_i32
// CHECK: %[[COLUMN:.*]] = arith.andi %[[THERE]], %[[BEHIND]]
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: scf.if %[[ROW]] {
// CHECK-COUNT-5: vector.load %[[READ]]{{.*}} vector<2xf64>
// CHECK-NOT: load
// CHECK: vector.store {{.*}}, %[[MADE]]{{.*}} vector<2xf64>
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %[[COLUMN]] {
// CHECK-NOT: vector
// CHECK-COUNT-5: memref.load %[[READ]]
// CHECK-NOT: load
// CHECK: memref.store {{.*}}, %[[MADE]]
// CHECK-NEXT: }
// CHECK-NOT: load
// CHECK: scf.yield
// CHECK: gpu.return
func.func @some(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 1, 2], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %xw = stencil.window shared %x depth 3 lead 2 : !temp
    %a = stencil.apply(%t = %xw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %t[0, -1, 0] : !temp
      %1 = stencil.access %t[0, 1, 0] : !temp
      %2 = stencil.access %t[0, 0, -1] : !temp
      %3 = stencil.access %t[0, 0, 1] : !temp
      %4 = stencil.access %t[0, 0, 0] : !temp
      %5 = arith.addf %0, %1 : f64
      %6 = arith.addf %2, %3 : f64
      %7 = arith.addf %5, %6 : f64
      %8 = arith.mulf %7, %4 : f64
      stencil.return %8 : f64
    }
    %aw = stencil.window shared %a depth 4 lead 2 : !temp
    %b = stencil.apply(%t = %aw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[0, -1, 0] : !temp
      %1 = stencil.access %t[0, 1, 0] : !temp
      %2 = stencil.access %t[0, 0, -1] : !temp
      %3 = stencil.access %t[0, 0, 1] : !temp
      %4 = arith.addf %0, %1 : f64
      %5 = arith.addf %2, %3 : f64
      %6 = arith.addf %4, %5 : f64
      stencil.return %6 : f64
    }
    stencil.store %b to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Of six points of a row, four bytes each, two are read and written at once. Rows of 36 points are 18 groups: besides three of
// its own points, each of 18 threads writes two of the rows, in no branch. The ten points behind them are for some of the threads.
// CHECK-LABEL: gpu.func @rest_pipeline0
// CHECK: %[[MADE:.*]] = memref.view {{.*}} to memref<1024xf32
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NOT: scf.if
// CHECK-COUNT-5: vector.store {{.*}}, %[[MADE]]{{.*}} vector<2xf32>
// CHECK-NEXT: scf.if
// CHECK-NOT: vector
// CHECK: memref.store {{.*}}, %[[MADE]]
// CHECK-NEXT: }
// CHECK: gpu.return
!small = !stencil.field<[-4,68]x[-4,68]x[-4,68]xf32>
!narrow = !stencil.temp<?x?x?xf32>
func.func @rest(%u: !small, %v: !small) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 3, 6], points = [1, 1, 6], stream = 0>} {
    %x = stencil.load %u : !small -> !narrow
    %xw = stencil.window shared %x depth 3 lead 2 : !narrow
    %a = stencil.apply(%t = %xw : !narrow) -> (!narrow) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %0 = stencil.access %t[0, 0, 0] : !narrow
      %1 = stencil.access %t[0, 1, 0] : !narrow
      %2 = arith.addf %0, %1 : f32
      stencil.return %2 : f32
    }
    %aw = stencil.window shared %a depth 4 lead 2 : !narrow
    %b = stencil.apply(%t = %aw : !narrow) -> (!narrow) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[0, -1, 0] : !narrow
      %1 = stencil.access %t[0, 1, 0] : !narrow
      %2 = stencil.access %t[0, 0, -1] : !narrow
      %3 = stencil.access %t[0, 0, 1] : !narrow
      %4 = arith.addf %0, %1 : f32
      %5 = arith.addf %2, %3 : f32
      %6 = arith.addf %4, %5 : f32
      stencil.return %6 : f32
    }
    stencil.store %b to %v(<[0, 0, 0], [64, 64, 64]>) : !narrow to !small
  }
  return
}
