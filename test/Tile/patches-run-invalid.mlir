// What is wrong with patches as the interpreter finds it: loops by hand.
//
// DEFINE: %{entry} =
// DEFINE: %{refused} = not stencil-run %s --target interpreter --threads 1 --arg 0=random:1 --arg 1=zeros --entry %{entry} 2>&1 | FileCheck %s --check-prefix=%{entry}
// REDEFINE: %{entry} = no_halo
// RUN: %{refused}
// REDEFINE: %{entry} = other_halo
// RUN: %{refused}
// REDEFINE: %{entry} = no_copy
// RUN: %{refused}
// REDEFINE: %{entry} = no_wait
// RUN: %{refused}
// REDEFINE: %{entry} = no_patch
// RUN: %{refused}

#edge = #tile.boundary<box = <[0, 0], [12, 20]>, sides = [#stencil.periodic, #stencil.symmetric]>
!field = !stencil.field<[0,12]x[0,20]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,9]xf64, fill = async>
!read = !stencil.temp<[0,1]x[-1,9]xf64>
!row = !stencil.temp<[0,1]x[0,8]xf64>

// no_halo: error: 'tile.patch' op patches plane 0, but no tile.fringe has loaded anything in the tile at [0, {{[0-9]+}}]
func.func @no_halo(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    tile.copy %a[%first] to %w[%c] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.wait %w[%c] : !ring
    tile.patch %w[%c] from %a[%first] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
  }
  return
}

// other_halo: error: 'tile.patch' op patches plane 0, but the next fringe is that of plane 1 in the tile
func.func @other_halo(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    tile.copy %a[%first] to %w[%c] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.fringe %a[%first] for %w plane 1 needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.wait %w[%c] : !ring
    tile.patch %w[%c] from %a[%first] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
  }
  return
}

// no_copy: error: 'tile.patch' op patches plane 1, which no tile.copy has brought in the tile
func.func @no_copy(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    tile.copy %a[%first] to %w[%c] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.fringe %a[%first] for %w plane 1 needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.wait %w[%c] : !ring
    tile.patch %w[%c] plane 1 from %a[%first] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
  }
  return
}

// no_wait: error: 'tile.patch' op patches plane 0, which no tile.wait has waited for in the tile
func.func @no_wait(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    tile.copy %a[%first] to %w[%c] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.fringe %a[%first] for %w needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.patch %w[%c] from %a[%first] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
  }
  return
}

// What is beside the box is not there without a patch.
// no_patch: error: stores a value that is not specified at [0, 0] in the tile at [0, 0]
func.func @no_patch(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    tile.copy %a[%first] to %w[%c] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.wait %w[%c] : !ring
    %x = tile.source %w[%c] : !ring -> !read
    %r = stencil.apply(%t = %x : !read) -> (!row) {
      %0 = stencil.access %t[0, -1] : !read
      stencil.return %0 : f64
    }
    tile.store %r to %b[%first] : !row to !field
  }
  return
}
