// 7 segments of 10 planes are more than 64: the last one may have none, and no iterations, in which planes would be asked for. All of it
// in the integers of the kernel, which are as wide as the field needs.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles | FileCheck %s

!field = !stencil.field<[0,66]x[0,64]xf64>
!large = !stencil.field<[0,66]x[0,4000000000]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!ring = !tile.ring<2 x [0,1]x[0,32]xf64>

// CHECK-LABEL: gpu.func @f_narrow
// CHECK: %[[COUNT:.*]] = arith.subi {{.*}} : i32
// CHECK: %[[HAS:.*]] = arith.cmpi slt, {{.*}} : i32
// CHECK: %[[NONE:.*]] = arith.constant 0 : i32
// CHECK: %[[ALL:.*]] = arith.select %[[HAS]], %[[COUNT]], %[[NONE]] : i32
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ALL]] step
// CHECK-LABEL: gpu.func @f_wide
// CHECK: %[[COUNT:.*]] = arith.subi {{.*}} : i64
// CHECK: %[[HAS:.*]] = arith.cmpi slt, {{.*}} : i64
// CHECK: %[[NONE:.*]] = arith.constant 0 : i64
// CHECK: %[[ALL:.*]] = arith.select %[[HAS]], %[[COUNT]], %[[NONE]] : i64
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ALL]] step
func.func @f(%u: !field, %v: !field, %x: !large, %y: !large) {
  tile.kernel @narrow(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, segments = 7> {
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
  tile.kernel @wide(%a = %x : !large, %b = %y : !large) grid <domain = <[0, 0], [64, 4000000000]>, block = [1, 32], points = [1, 1], walk = 0, segments = 7> {
    %w = tile.ring : !ring
    tile.walk lookback 0 plane %p cursors(%c: !tile.cursor<2>) {
      tile.copy %a[%p] to %w[%c] plane 0 : !large, !ring
      %s = tile.source %w[%c] : !ring -> !row
      %r = stencil.apply(%t = %s : !row) -> (!row) {
        %0 = stencil.access %t[0, 0] : !row
        stencil.return %0 : f64
      }
      tile.store %r to %b[%p] : !row to !large
    }
  }
  return
}
