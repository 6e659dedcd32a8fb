// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages --stencil-place-barriers --stencil-expand-walks --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

// A tile of 2 x 1 x 32 points asks for what the next one along axis 0, two
// planes on, reads first: of %x, which is read two planes ahead, plane z + 4, of
// %y plane z + 2. One lane in 8 asks, for 64 bytes, and in the last tile none.

// CHECK: gpu.func @step_apply0{{0?}}(%[[X:.*]]: memref<4480xf64> {{.*}}, %[[Y:.*]]: memref<4480xf64> {{.*}}, %{{.*}}: memref<4480xf64> {{.*}}) kernel
// CHECK: %[[LANE:.*]] = arith.index_cast %thread_id_x
// CHECK: %[[NEXT:.*]] = arith.addi %[[Z:.*]], %c2_i32
// CHECK: %[[IS_NEXT:.*]] = arith.cmpi slt, %[[NEXT]], %c10_i32
// CHECK: %[[IN_LINE:.*]] = arith.remui %[[LANE]], %c8_i32
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi slt, %[[IN_LINE]], %c1_i32
// CHECK: %[[ASKS:.*]] = arith.andi %[[IS_NEXT]], %[[IS_FIRST]]
// CHECK: scf.if %[[ASKS]] {
// CHECK: %[[AHEAD:.*]] = arith.addi %[[Z]], %c4_i32
// CHECK: arith.muli %[[AHEAD]], %c320_i32
// CHECK: memref.prefetch %[[X]][%{{.*}}], read, locality<2>, data
// CHECK: arith.muli %[[NEXT]], %c320_i32
// CHECK: memref.prefetch %[[Y]][%{{.*}}], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: memref.load
!field = !stencil.field<[-2,12]x[0,5]x[0,64]xf64>
func.func @step(%u: !field, %w: !field, %v: !field) {
  stencil.apply(%x = %u : !field, %y = %w : !field) outs (%v : !field)
      attributes {stencil.schedule = #stencil.schedule<block = [2, 1, 32], points = [1, 1, 1], prefetch = l2>} {
    %a = stencil.access %x[-1, 0, 0] : !field
    %b = stencil.access %x[2, 0, 0] : !field
    %c = stencil.access %y[0, 0, 0] : !field
    %d = arith.addf %a, %b : f64
    %e = arith.addf %c, %d : f64
    stencil.return %e : f64
  } to <[0, 0, 0], [10, 5, 64]>
  return
}

// -----

// A thread of 2 x 32 points asks for two lines in each of two rows, all of which
// are to lie in the box.

// CHECK: gpu.func @points_apply0{{0?}}
// CHECK: %[[LAST:.*]] = arith.addi %{{.*}}, %c3_i32
// CHECK-NEXT: %[[ASKS:.*]] = arith.cmpi slt, %[[LAST]], %c12_i32
// CHECK-NEXT: scf.if %[[ASKS]]
// CHECK-COUNT-4: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: gpu.return
!narrow = !stencil.field<[0,12]x[0,64]xf32>
func.func @points(%u: !narrow, %v: !narrow) {
  stencil.apply(%x = %u : !narrow) outs (%v : !narrow)
      attributes {stencil.schedule = #stencil.schedule<block = [1, 2], points = [2, 32], prefetch = l2>} {
    %a = stencil.access %x[0, 0] : !narrow
    stencil.return %a : f32
  } to <[0, 0], [12, 64]>
  return
}
