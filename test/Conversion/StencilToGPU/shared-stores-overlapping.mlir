// Tiles that overlap: of what threads have put into shared memory, all of them store together what their block is to store, points 2 to 14 of 16, in vectors.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-distribute-tiles --canonicalize | FileCheck %s

// CHECK: gpu.barrier
// Six vectors, the first one behind two points.
// CHECK-NEXT: %[[IS:.*]] = arith.cmpi slt, %[[T:.*]], %c6_i32
// CHECK-NEXT: scf.if %[[IS]] {
// CHECK-NEXT: %[[DOUBLE:.*]] = arith.muli %[[T]], %c2_i32
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[DOUBLE]], %c2_i32
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK-NEXT: vector.load %{{.*}}[%[[INDEX]]] {{.*}}workgroup>>, vector<2xf64>
// CHECK-NEXT: vector.store {{.*}}, vector<2xf64>

!field = !stencil.field<[0,64]xf64>
!ring = !tile.ring<1 x [0,16]xf64, fill = stage>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,16]xf64>
func.func @overlapping(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [8], points = [2], inner = <[2], [14]>> {
    %w = tile.ring : !ring
    %x = tile.source %a : !field -> !any
    %m = tile.where needs <[0], [1]> -> (!tile) {
      %0 = stencil.apply(%t = %x : !any) -> (!tile) {
        %1 = stencil.access %t[0] : !any
        stencil.return %1 : f64
      }
      tile.yield %0 : !tile
    }
    tile.put %m to %w : !tile, !ring
    tile.barrier
    %y = tile.source %w : !ring -> !tile
    tile.store %y to %b : !tile to !field
  }
  return
}
