// Rings that stages fill: barriers, and walks that are expanded.
// RUN: stencil-opt %s --stencil-place-barriers --remarks-filter=Barriers -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: stencil-opt %t.mlir --stencil-expand-walks | FileCheck %s --check-prefix=EXPAND
// RUN: %python %S/Inputs/remove_barriers.py stencil-opt %t.mlir | FileCheck %s --check-prefix=REMOVED
// REMOVED: 4 barriers, each of them needed

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!next = !stencil.temp<[1,2]x[0,32]xf64>
!wide = !stencil.temp<[1,2]x[-1,33]xf64>
!copied = !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async>
!stage2 = !tile.ring<2 x [0,1]x[-4,36]xf64, fill = stage>
!stage3 = !tile.ring<3 x [0,1]x[-4,36]xf64, fill = stage>
!read = !stencil.temp<[0,2]x[-4,36]xf64>
!older = !stencil.temp<[-1,1]x[-4,36]xf64>
!newer = !stencil.temp<[0,2]x[-4,36]xf64>
#rim = #tile.core_and_rim<core = <rank = 2, registers = [], threads = [1: 32 by 1]>, box = <[0, -1], [1, 33]>>

// Planes that the iteration before has made need no barrier but the one that is there for what is copied.
// CHECK-LABEL: @older
// REMARK: a stage reads plane p + 1 of ring 0, which threads have written; {{.*}}plane p + 0 of ring 1, which threads have written
// CHECK: tile.walk
// CHECK-NEXT: tile.wait
// CHECK-NEXT: tile.barrier
// CHECK-NOT: tile.barrier
// CHECK-LABEL: @newer
// REMARK: a stage reads plane p + 1 of ring 1, which threads have written
// CHECK: tile.walk
// CHECK-NEXT: tile.wait
// CHECK-NEXT: tile.barrier
// CHECK: tile.put
// CHECK-NEXT: tile.source
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.where {
// CHECK-NOT: tile.barrier

// A stage that is left out of the first iterations is so in their loop only; and that has no barrier for what is stored.
// EXPAND-LABEL: @newer
// EXPAND: scf.for
// EXPAND: tile.barrier
// EXPAND: tile.where plane %{{.*}} needs <[-1, 0], [2, 1]> ->
// EXPAND: tile.put
// EXPAND-NOT: tile.barrier
// EXPAND: scf.yield
// EXPAND: scf.for
// EXPAND: tile.barrier
// EXPAND-NOT: tile.where plane
// EXPAND: tile.put
// EXPAND: tile.barrier
// EXPAND: tile.where {
func.func @walks(%u: !field, %v: !field) {
  tile.kernel @older(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !copied
    %s = tile.ring : !stage3
    tile.walk lookback 3 plane %p cursors(%c: !tile.cursor<4>, %d: !tile.cursor<3>) {
      tile.wait %w[%c] plane 1 : !copied
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !copied
      %x = tile.source %w[%c] : !copied -> !read
      %m = stencil.apply(%t = %x : !read) -> (!wide) attributes {tile.layout = #rim} {
        %0 = stencil.access %t[0, 1] : !read
        stencil.return %0 : f64
      }
      tile.put %m to %s[%d] plane 1 : !wide, !stage3
      %y = tile.source %s[%d] : !stage3 -> !older
      tile.where {
        %r = stencil.apply(%t = %y : !older) -> (!row) {
          %0 = stencil.weighted_sum %t offsets [[-1, 1], [0, -1]] weights dense<0.5> : tensor<2xf64> : !older
          stencil.return %0 : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  tile.kernel @newer(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !copied
    %s = tile.ring : !stage2
    tile.walk lookback 3 plane %p cursors(%c: !tile.cursor<4>, %d: !tile.cursor<2>) {
      tile.wait %w[%c] plane 1 : !copied
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !copied
      %x = tile.source %w[%c] : !copied -> !read
      %m = tile.where plane %p needs <[-1, 0], [2, 1]> -> (!wide) {
        %0 = stencil.apply(%t = %x : !read) -> (!wide) attributes {tile.layout = #rim} {
          %1 = stencil.access %t[-1, 1] : !read
          stencil.return %1 : f64
        }
        tile.yield %0 : !wide
      }
      tile.put %m to %s[%d] plane 1 : !wide, !stage2
      %y = tile.source %s[%d] : !stage2 -> !newer
      tile.where {
        %r = stencil.apply(%t = %y : !newer) -> (!row) {
          %0 = stencil.weighted_sum %t offsets [[1, 1], [0, -1]] weights dense<0.5> : tensor<2xf64> : !newer
          stencil.return %0 : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  return
}

// Without a walk, a store by all threads waits for what they have written.
// CHECK-LABEL: @tile
// REMARK: a store reads ring 0, which threads have written
// CHECK: tile.put
// CHECK-NEXT: tile.source
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
!line = !stencil.field<[0,64]xf64>
!points = !stencil.temp<[0,64]xf64>
!ring = !tile.ring<1 x [0,64]xf64, fill = stage>
func.func @tile(%u: !line, %v: !line) {
  tile.kernel @tile(%a = %u : !line, %b = %v : !line) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %s = tile.ring : !ring
    %x = tile.source %a : !line -> !stencil.temp<?xf64>
    %m = tile.where -> (!points) {
      %0 = stencil.apply(%t = %x : !stencil.temp<?xf64>) -> (!points) {
        %1 = stencil.access %t[0] : !stencil.temp<?xf64>
        stencil.return %1 : f64
      }
      tile.yield %0 : !points
    }
    tile.put %m to %s : !points, !ring
    %y = tile.source %s : !ring -> !points
    tile.store %y to %b : !points to !line
  }
  return
}
