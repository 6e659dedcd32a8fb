// RUN: stencil-opt %s --stencil-place-barriers --stencil-expand-walks --split-input-file | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = tma>
!three = !stencil.temp<[-1,2]x[-1,33]xf64>

// A stage chooses what it reads at the sides. Blocks next to a side of axis 1, which is not walked, have code of their own;
// in either code, planes next to the ends of axis 0 have.
// CHECK: #edge = #tile.boundary<box = <[0, 1], [64, 63]>
// CHECK-LABEL: tile.kernel @inner
// CHECK-NOT: stencil.inner
// CHECK: %[[FIRST:.*]], %[[COUNT:.*]] = tile.segment
// CHECK: %[[EDGE:.*]] = tile.at_edge needs <[0, 0], [1, 1]> boundary #edge
// CHECK: scf.if %[[EDGE]]
// The iterations before the first store know nothing; planes next to the lower end are before plane 1.
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[BEGIN:[^ ]*]] step
// CHECK-NOT: scf.for
// CHECK: arith.subi %{{.*}}, %[[FIRST]]
// CHECK: arith.maxsi
// CHECK: %[[INNER:.*]] = arith.minsi
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[INNER]]
// CHECK-COUNT-2: arith.select
// CHECK: scf.for %{{.*}} = %[[INNER]] to %[[WHOLE:[^ ]*]] step
// Of inner planes, what is read along axis 1 is chosen.
// CHECK: stencil.apply
// CHECK-NOT: stencil.index 0
// CHECK: stencil.index 1
// CHECK-COUNT-1: arith.select
// CHECK-NOT: arith.select
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to %[[COUNT]]
// CHECK-COUNT-2: arith.select
// Of other blocks it is not.
// CHECK: } else {
// CHECK: scf.for
// CHECK: scf.for
// CHECK: stencil.index 0
// CHECK-NOT: stencil.index 1
// CHECK-COUNT-1: arith.select
// CHECK-NOT: arith.select
// CHECK: scf.for
// CHECK: stencil.apply
// CHECK-NOT: stencil.index
// CHECK-NOT: arith.select
// CHECK: tile.store
// CHECK: scf.for
// CHECK: stencil.index 0
func.func @inner(%u: !field, %v: !field) {
  tile.kernel @inner(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> attributes {stencil.inner = #stencil.bounds<[1, 1], [63, 63]>} {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !ring
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !ring
      %x = tile.source %w[%c] : !ring -> !three
      tile.where {
        %r = stencil.apply(%t = %x : !three) -> (!row) {
          %zero = arith.constant 0 : index
          %i = stencil.index 0 <[0, 0]>
          %isFirst = arith.cmpi eq, %i, %zero : index
          %here = stencil.access %t[0, 0] : !three
          %before = stencil.access %t[-1, 0] : !three
          %along = arith.select %isFirst, %here, %before : f64
          %last = arith.constant 63 : index
          %j = stencil.index 1 <[0, 0]>
          %isLast = arith.cmpi eq, %j, %last : index
          %beside = stencil.access %t[0, 1] : !three
          %across = arith.select %isLast, %here, %beside : f64
          %s = arith.addf %along, %across : f64
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!temp = !stencil.temp<?x?xf64>

// A box that is as wide as the domain, but for its planes, is that of all blocks.
// CHECK-LABEL: tile.kernel @planes
// CHECK-NOT: tile.at_edge
// CHECK-NOT: scf.if
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
func.func @planes(%u: !field, %v: !field) {
  tile.kernel @planes(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> attributes {stencil.inner = #stencil.bounds<[1, 0], [64, 64]>} {
    tile.walk plane %p {
      %x = tile.source %a[%p] : !field -> !temp
      tile.where {
        %r = stencil.apply(%t = %x : !temp) -> (!row) {
          %s = stencil.access %t[0, 0] : !temp
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!temp = !stencil.temp<?x?xf64>

// An empty one is that of none.
// CHECK-LABEL: tile.kernel @none
// CHECK-NOT: tile.at_edge
func.func @none(%u: !field, %v: !field) {
  tile.kernel @none(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> attributes {stencil.inner = #stencil.bounds<[1, 64], [64, 70]>} {
    tile.walk plane %p {
      %x = tile.source %a[%p] : !field -> !temp
      tile.where {
        %r = stencil.apply(%t = %x : !temp) -> (!row) {
          %s = stencil.access %t[0, 0] : !temp
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  return
}
