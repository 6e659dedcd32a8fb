// The last tile of two in three segments instead of two: five blocks, the first two of which are the segments of the first tile.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles --cse --canonicalize | FileCheck %s

!field = !stencil.field<[0,66]x[0,64]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!ring = !tile.ring<2 x [0,1]x[0,32]xf64>

// CHECK-LABEL: gpu.func @f_k
// CHECK: %[[BLOCK:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[IS_BEFORE:.*]] = arith.cmpi slt, %[[BLOCK]], %c2_i32
// CHECK: %[[FIRST:.*]] = arith.select %[[IS_BEFORE]], %c0_i32, %c2_i32
// CHECK: %[[SEGMENT:.*]] = arith.subi %[[BLOCK]], %[[FIRST]]
// CHECK: %[[LENGTH:.*]] = arith.select %[[IS_BEFORE]], %c32_i32, %c22_i32
// CHECK: arith.muli %[[SEGMENT]], %[[LENGTH]]
// CHECK: %[[BLOCKS:.*]] = arith.constant 5 : index
// CHECK: stencil.launch @f_kernels::@f_k0 blocks(%[[BLOCKS]])
func.func @f(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, segments = 2, tail = [1, 3]> {
    %w = tile.ring : !ring
    tile.walk lookback 0 plane %p cursors(%c: !tile.cursor<2>) {
      tile.copy %a[%p] to %w[%c] plane 0 : !field, !ring
      %s = tile.source %w[%c] : !ring -> !row
      %r = stencil.apply(%t = %s : !row) -> (!row) {
        %0 = stencil.access %t[0, 0] : !row
        stencil.return %0 : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }
  return
}
