// Rows with gaps by the copy engine: a map with an axis of segments, boxes of whole segments with their gaps, and threads that copy where a tile is not within a row.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu=math=reassociate --canonicalize --cse | FileCheck %s

!line = !stencil.field<[-3,904]xf64>
!ring = !tile.ring<1 x [-16,272]xf64, segment = 16, gap = 4, fill = tma>
!points = !stencil.temp<[-16,272]xf64>
!row = !stencil.temp<[0,256]xf64>

// CHECK-LABEL: gpu.func @line
// The tile is -16 to 272 beside where it begins: less than -3, or more than 904.
// CHECK-DAG: %[[TILE:.*]] = arith.muli %{{.*}}, %c256
// CHECK-DAG: %[[FIRST:.*]] = arith.addi %[[TILE]], %c-16
// CHECK-DAG: %[[END:.*]] = arith.addi %[[TILE]], %c272
// CHECK-DAG: %[[BEFORE:.*]] = arith.cmpi slt, %[[FIRST]], %c-3
// CHECK-DAG: %[[BEHIND:.*]] = arith.cmpi sgt, %[[END]], %c904
// CHECK: %[[BEYOND:.*]] = arith.ori %[[BEFORE]], %[[BEHIND]]
// CHECK: %[[COUNT:.*]] = arith.select %[[BEYOND]], %c32{{.*}}, %c1
// CHECK: nvgpu.mbarrier.init %[[BARRIERS:.*]][%c0], %{{.*}}, predicate
// CHECK: scf.if %[[BEYOND]] {
// CHECK: vector.store
// CHECK: nvgpu.mbarrier.arrive %[[BARRIERS]][%c0]
// CHECK: } else {
// CHECK: scf.if
// 18 segments of 20 doubles.
// CHECK: nvgpu.mbarrier.arrive.expect_tx %[[BARRIERS]][%c0], %c2880
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [18, 20], strides: [20, 1]
// CHECK: nvgpu.tma.async.load %{{.*}}[%{{.*}}, %c0], %[[BARRIERS]][%c0] to
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-LABEL: func.func @line
// 3 doubles pad the row in front, to a sector of four; a box ends 17 segments behind where it begins.
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [18, 636], strides: [16, 1]
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%c18, %c20]
func.func @line(%u: !line, %v: !line) {
  tile.kernel @line(%a = %u : !line, %b = %v : !line) grid <domain = <[0], [901]>, block = [32], points = [8], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 128, 0: 2 by 8], threads = [0: 4 by 2, 0: 8 by 16]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w needs <[-3], [259]> : !line, !ring
    tile.wait %w : !ring
    %x = tile.source %w : !ring -> !points
    %s = stencil.apply(%t = %x : !points) -> (!row) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 2, gap = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-3], [0], [3]] weights dense<[0.5, 0.25, 0.125]> : tensor<3xf64> : !points
      stencil.return %0 : f64
    }
    tile.where {
      tile.store %s to %b : !row to !line
    }
  }
  return
}
