// What a ring has around a box: barriers for its patches, and a walk without
// them for blocks that read nothing beyond the box.
//
// RUN: stencil-opt %s | stencil-opt | FileCheck %s --check-prefix=SYNTAX
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s --check-prefix=SYNTAX
// RUN: stencil-opt %s --stencil-place-barriers --remarks-filter=Barriers -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --check-prefix=BARRIERS < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: stencil-opt %t.mlir --stencil-place-barriers | diff %t.mlir -
// RUN: stencil-opt %t.mlir --stencil-expand-walks -o %t.expanded.mlir
// RUN: FileCheck %s < %t.expanded.mlir
// RUN: stencil-opt %t.expanded.mlir --stencil-place-barriers --stencil-expand-walks | diff %t.expanded.mlir -

// SYNTAX: #[[EDGE:.*]] = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.dirichlet<2.500000e-01 : f64> | #stencil.keep]>
#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.dirichlet<0.25> | #stencil.keep]>
#sides = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.neumann, #stencil.symmetric | #stencil.antisymmetric]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!row = !stencil.temp<[0,1]x[0,16]xf64>
!box = !stencil.temp<[-1,2]x[-1,17]xf64>
!async = !tile.ring<4 x [0,1]x[-1,17]xf64, fill = async>
!tma = !tile.ring<4 x [0,1]x[-2,18]xf64, fill = tma>
!tile = !tile.ring<1 x [-1,5]x[-1,17]xf64>

// What threads have brought is patched behind a barrier, which blocks without
// patches have no need of.
// SYNTAX-LABEL: @async
// SYNTAX: tile.patch %{{.*}} plane 1 from %{{.*}} needs <[-1, -1], [2, 2]> boundary #[[EDGE]] : !stencil.field
// SYNTAX-NEXT: tile.copy {{.*}} plane 2 needs <[-1, -1], [2, 2]> boundary #[[EDGE]] : !stencil.field
// SYNTAX-NEXT: tile.fringe %{{.*}}[%{{.*}}] for %{{.*}} plane 2 needs <[-1, -1], [2, 2]> boundary #[[EDGE]] : !stencil.field
// BARRIERS-LABEL: @async
// BARRIERS: tile.wait
// BARRIERS-NEXT: tile.barrier for_patches
// BARRIERS-NEXT: tile.patch
// BARRIERS-NEXT: tile.barrier{{$}}
// BARRIERS-NEXT: tile.copy
// BARRIERS-NEXT: tile.fringe
// BARRIERS-NOT: tile.barrier
// BARRIERS: tile.store
// REMARK: Remark="a stage reads plane p + 1 of ring 0, which threads have written; plane p + 2 of ring 0 takes the place of plane p + -2, which a stage has read"
// REMARK: Remark="a patch changes plane p + 1 of ring 0, which threads have written"
//
// What is loaded ahead is loaded for the first iteration; nothing else is patched before.
// CHECK-LABEL: @async
// CHECK: %[[FIRST:.*]], %{{.*}} = tile.segment lookback 2
// CHECK: %[[AT:.*]] = tile.at_edge needs <[-1, -1], [2, 2]> boundary #edge : i1
// CHECK-NEXT: scf.if %[[AT]] {
// CHECK-NOT: tile.patch
// CHECK: tile.copy {{.*}} plane 1 needs <[-1, -1], [2, 2]> boundary #edge
// CHECK-NEXT: tile.fringe %{{.*}}[%[[FIRST]]] for %{{.*}} plane 1 needs
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: arith.select
// CHECK-NEXT: scf.for
// CHECK: tile.wait
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.patch
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.copy {{.*}} boundary #edge
// CHECK-NEXT: tile.fringe
// CHECK: scf.for
// CHECK: tile.patch
// CHECK: tile.store
// CHECK: } else {
// CHECK-NOT: {{tile.patch|tile.fringe|boundary}}
// CHECK: scf.for
// CHECK: tile.wait
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.advance
// CHECK: scf.for
// CHECK: tile.wait
// CHECK-NEXT: tile.barrier{{$}}
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.source
// CHECK: tile.store
func.func @async(%u: !field, %v: !field) {
  tile.kernel @async(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0, segments = 2> {
    %w = tile.ring : !async
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !async
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, -1], [2, 2]> boundary #edge : !field, !async
      tile.copy %a[%p] to %w[%c] plane 2 needs <[-1, -1], [2, 2]> boundary #edge : !field, !async
      tile.fringe %a[%p] for %w plane 2 needs <[-1, -1], [2, 2]> boundary #edge : !field, !async
      %x = tile.source %w[%c] : !async -> !box
      tile.where {
        %r = stencil.apply(%t = %x : !box) -> (!row) {
          %s = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 1], [1, 1]] weights dense<0.5> : tensor<4xf64> : !box
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  return
}

// What the copy engine has brought is there for all.
// BARRIERS-LABEL: @tma
// BARRIERS: tile.wait
// BARRIERS-NEXT: tile.patch
// BARRIERS-NEXT: tile.barrier{{$}}
// BARRIERS-NEXT: tile.copy
func.func @tma(%u: !field, %v: !field) {
  tile.kernel @tma(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !tma
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !tma
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, -1], [2, 2]> boundary #sides : !field, !tma
      tile.copy %a[%p] to %w[%c] plane 2 needs <[-1, -1], [2, 2]> boundary #sides : !field, !tma
      tile.fringe %a[%p] for %w plane 2 needs <[-1, -1], [2, 2]> boundary #sides : !field, !tma
      %x = tile.source %w[%c] : !tma -> !box
      tile.where {
        %r = stencil.apply(%t = %x : !box) -> (!row) {
          %s = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 1], [1, 1]] weights dense<0.5> : tensor<4xf64> : !box
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  return
}

// Without a walk, all of a block's program is in the branches.
// BARRIERS-LABEL: @tile
// BARRIERS: tile.barrier for_patches
// BARRIERS-NEXT: tile.patch
// BARRIERS: tile.barrier{{$}}
// BARRIERS-NEXT: tile.where
// CHECK-LABEL: @tile
// CHECK: tile.ring
// CHECK-NEXT: tile.at_edge
// CHECK-NEXT: scf.if
// CHECK: tile.patch
// CHECK: tile.store
// CHECK: } else {
// CHECK-NEXT: tile.copy %{{.*}} needs <[-1, -1], [2, 2]> :
// CHECK-NEXT: tile.source
// CHECK-NEXT: tile.barrier{{$}}
// CHECK: tile.store
!grid = !stencil.temp<[0,4]x[0,16]xf64>
!read = !stencil.temp<[-1,5]x[-1,17]xf64>
func.func @tile(%u: !field, %v: !field) {
  tile.kernel @tile(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 30]>, block = [2, 16], points = [2, 1]> {
    %w = tile.ring : !tile
    tile.copy %a to %w needs <[-1, -1], [2, 2]> boundary #edge : !field, !tile
    tile.fringe %a for %w needs <[-1, -1], [2, 2]> boundary #edge : !field, !tile
    tile.patch %w from %a needs <[-1, -1], [2, 2]> boundary #edge : !field, !tile
    %x = tile.source %w : !tile -> !read
    tile.where {
      %r = stencil.apply(%t = %x : !read) -> (!grid) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 1], [1, 1]] weights dense<0.5> : tensor<4xf64> : !read
        stencil.return %s : f64
      }
      tile.store %r to %b : !grid to !field
    }
  }
  return
}
