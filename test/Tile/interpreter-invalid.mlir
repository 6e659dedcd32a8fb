// What is wrong with a kernel as the interpreter finds it: where, and with
// numbers. The verifier does not see it: these are loops by hand, tiles without
// a walk, and values that depend on where the domain ends.
//
// DEFINE: %{entry} =
// DEFINE: %{refused} = not stencil-run %s --target interpreter --threads 1 --arg 0=random:1 --arg 1=zeros --entry %{entry} 2>&1 | FileCheck %s --check-prefix=%{entry}
// REDEFINE: %{entry} = unwaited
// RUN: %{refused}
// REDEFINE: %{entry} = wrong_slot
// RUN: %{refused}
// REDEFINE: %{entry} = other_cursor
// RUN: %{refused}
// REDEFINE: %{entry} = not_asked
// RUN: %{refused}
// REDEFINE: %{entry} = two_planes
// RUN: %{refused}
// REDEFINE: %{entry} = other_plane
// RUN: %{refused}
// REDEFINE: %{entry} = unplaced
// RUN: %{refused}
// REDEFINE: %{entry} = poison
// RUN: %{refused}
// REDEFINE: %{entry} = overlaid
// RUN: %{refused}
// REDEFINE: %{entry} = too_little
// RUN: %{refused}
// REDEFINE: %{entry} = outside
// RUN: %{refused}
// REDEFINE: %{entry} = divides
// RUN: %{refused}
// REDEFINE: %{entry} = blocks
// RUN: %{refused}
// REDEFINE: %{entry} = divides_needed
// RUN: %{refused}

!field = !stencil.field<[-1,13]x[-1,21]xi32>
!any = !stencil.temp<?x?xi32>
!async = !tile.ring<2 x [0,1]x[-1,9]xi32, fill = async>
!walked = !stencil.temp<[0,1]x[-1,9]xi32>
!row = !stencil.temp<[0,1]x[0,8]xi32>
!ring = !tile.ring<1 x [-1,5]x[-1,9]xi32>
!waited = !tile.ring<1 x [-1,5]x[-1,9]xi32, fill = delayed>
!box = !stencil.temp<[-1,5]x[-1,9]xi32>
!tile = !stencil.temp<[0,4]x[0,8]xi32>

// An asynchronous copy, and no wait.
// unwaited: :[[@LINE+12]]:{{[0-9]+}}: error: 'stencil.apply' op reads plane 0 (p + 0) of a ring before a tile.wait in the tile at [0, {{[0-9]+}}]
// unwaited: :[[@LINE+10]]:{{[0-9]+}}: note: it is read as this
// unwaited: :[[@LINE+8]]:{{[0-9]+}}: note: copied here
func.func @unwaited(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c = tile.cursor %zero : !tile.cursor<2>
    tile.copy %a[%first] to %w[%c] : !field, !async
    %x = tile.source %w[%c] : !async -> !walked
    %r = stencil.apply(%t = %x : !walked) -> (!row) {
      %0 = stencil.access %t[0, 0] : !walked
      stencil.return %0 : i32
    }
    tile.store %r to %b[%first] : !row to !field
  }
  return
}

// The copy of the next plane has taken the slot.
// wrong_slot: :[[@LINE+13]]:{{[0-9]+}}: error: 'stencil.apply' op reads plane 0 (p + 0) of a ring in a slot that holds plane 2 in the tile
// wrong_slot: :[[@LINE+9]]:{{[0-9]+}}: note: copied here
func.func @wrong_slot(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c = tile.cursor %zero : !tile.cursor<2>
    tile.copy %a[%first] to %w[%c] : !field, !async
    tile.copy %a[%first] to %w[%c] plane 2 : !field, !async
    tile.wait %w[%c] plane 2 : !async
    %x = tile.source %w[%c] : !async -> !walked
    %r = stencil.apply(%t = %x : !walked) -> (!row) {
      %0 = stencil.access %t[0, 0] : !walked
      stencil.return %0 : i32
    }
    tile.store %r to %b[%first] : !row to !field
  }
  return
}

// A plane is copied with the cursor of another one.
// other_cursor: :[[@LINE+12]]:{{[0-9]+}}: error: 'stencil.apply' op reads plane 0 (p + 0) of a ring in a slot that holds plane 1 in the tile
func.func @other_cursor(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c = tile.cursor %zero : !tile.cursor<2>
    %next = arith.addi %first, %one : index
    tile.copy %a[%next] to %w[%c] : !field, !async
    tile.wait %w[%c] : !async
    %x = tile.source %w[%c] : !async -> !walked
    %r = stencil.apply(%t = %x : !walked) -> (!row) {
      %0 = stencil.access %t[0, 0] : !walked
      stencil.return %0 : i32
    }
    tile.store %r to %b[%first] : !row to !field
  }
  return
}

// A wait for what nobody has copied would have no end.
// not_asked: :[[@LINE+9]]:{{[0-9]+}}: error: waits for plane 1, which no tile.copy has asked for in the tile
func.func @not_asked(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    %first, %count = tile.segment : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c = tile.cursor %zero : !tile.cursor<2>
    tile.copy %a[%first] to %w[%c] : !field, !async
    tile.wait %w[%c] plane 1 : !async
  }
  return
}

// Sources of two iterations in one stage.
// two_planes: :[[@LINE+8]]:{{[0-9]+}}: error: 'stencil.apply' op reads sources for plane 1 in a stage for plane 0 in the tile
func.func @two_planes(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %first, %count = tile.segment : index
    %one = arith.constant 1 : index
    %next = arith.addi %first, %one : index
    %x = tile.source %a[%first] : !field -> !any
    %y = tile.source %a[%next] : !field -> !any
    %r = stencil.apply(%t = %x : !any, %s = %y : !any) -> (!row) {
      %0 = stencil.access %t[0, 0] : !any
      %1 = stencil.access %s[0, 0] : !any
      %2 = arith.addi %0, %1 : i32
      stencil.return %2 : i32
    }
    tile.store %r to %b[%first] : !row to !field
  }
  return
}

// The values of one iteration are stored as those of another one.
// other_plane: :[[@LINE+12]]:{{[0-9]+}}: error: stores values for plane 0 as plane 1 in the tile
func.func @other_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %first, %count = tile.segment : index
    %one = arith.constant 1 : index
    %next = arith.addi %first, %one : index
    %x = tile.source %a[%first] : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!row) {
        %0 = stencil.access %t[0, 0] : !any
        stencil.return %0 : i32
      }
      tile.store %r to %b[%next] : !row to !field
    }
  }
  return
}

// Coordinates of no iteration.
// unplaced: :[[@LINE+4]]:{{[0-9]+}}: error: 'stencil.apply' op expected a source of the plane that it is for
func.func @unplaced(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %first, %count = tile.segment : index
    %r = stencil.apply() -> (!row) {
      %0 = stencil.index 0 <[0, 0]>
      %1 = arith.index_cast %0 : index to i32
      stencil.return %1 : i32
    }
    tile.store %r to %b[%first] : !row to !field
  }
  return
}

// The first value that a walk carries is stored.
// poison: :[[@LINE+10]]:{{[0-9]+}}: error: stores a value that is not specified at [0, {{[0-9]+}}] in the tile at [0, {{[0-9]+}}]
func.func @poison(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [1, 8], points = [1, 1], walk = 0> {
    %none = ub.poison : !row
    tile.walk plane %p carry(%q = %none : !row) {
      %r = stencil.apply(%t = %q : !row) -> (!row) {
        %0 = stencil.access %t[0, 0] : !row
        %1 = arith.addi %0, %0 : i32
        stencil.return %1 : i32
      }
      tile.store %r to %b[%p] : !row to !field
      tile.yield %r : !row
    }
  }
  return
}

// Rings of two overlays are one memory.
// overlaid: :[[@LINE+9]]:{{[0-9]+}}: error: 'stencil.apply' op reads a ring whose memory that of another overlay has taken in the tile
// overlaid: :[[@LINE+6]]:{{[0-9]+}}: note: copied here
func.func @overlaid(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [4, 8], points = [1, 1]> {
    %w = tile.ring overlay 0 : !ring
    %y = tile.ring overlay 1 : !ring
    tile.copy %a to %w : !field, !ring
    tile.copy %a to %y : !field, !ring
    %x = tile.source %w : !ring -> !box
    %r = stencil.apply(%t = %x : !box) -> (!tile) {
      %0 = stencil.access %t[0, 0] : !box
      stencil.return %0 : i32
    }
    tile.store %r to %b : !tile to !field
  }
  return
}

// The copy brings less than what is stored is made of.
// too_little: :[[@LINE+10]]:{{[0-9]+}}: error: stores a value that is not specified at [{{[0-9]+}}, 19] in the tile at [{{[0-9]+}}, 16]
func.func @too_little(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [4, 8], points = [1, 1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w needs <[0, 0], [1, 1]> : !field, !ring
    %x = tile.source %w : !ring -> !box
    %r = stencil.apply(%t = %x : !box) -> (!tile) {
      %0 = stencil.access %t[0, 1] : !box
      stencil.return %0 : i32
    }
    tile.store %r to %b : !tile to !field
  }
  return
}

// A field is read where there is none.
// outside: :[[@LINE+5]]:{{[0-9]+}}: error: accesses [{{16,24|17,25}}) of axis 1, expected to stay in [-1,13)x[-1,21)
func.func @outside(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [4, 8], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    %r = stencil.apply(%t = %x : !any) -> (!tile) {
      %0 = stencil.access %t[0, 0] : !any
      stencil.return %0 : i32
    }
    tile.store %r to %b : !tile to !field
  }
  return
}

// A division outside of the domain, of what is not there.
// divides: :[[@LINE+8]]:{{[0-9]+}}: error: may fail, and depends on a value that is not specified at point [{{[0-9]+}}, 2{{[0-9]}}]
func.func @divides(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [4, 8], points = [1, 1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !box
    %r = stencil.apply(%t = %x : !box) -> (!tile) {
      %0 = stencil.access %t[0, 0] : !box
      %1 = arith.divsi %0, %0 : i32
      stencil.return %1 : i32
    }
    tile.store %r to %b : !tile to !field
  }
  return
}

// A division that fails where it is needed.
// divides_needed: :[[@LINE+8]]:{{[0-9]+}}: error: division by zero at point [
func.func @divides_needed(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [12, 20]>, block = [4, 8], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0, 0] : !any
        %z = arith.constant 0 : i32
        %1 = arith.divsi %0, %z : i32
        stencil.return %1 : i32
      }
      tile.store %r to %b : !tile to !field
    }
  }
  return
}

// More blocks than a grid can have.
// blocks: :[[@LINE+2]]:{{[0-9]+}}: error: expected a grid of at most 2147483647 blocks, got more
func.func @blocks(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [1099511627776, 1099511627776]>, block = [4, 8], points = [1, 1]> {
  }
  return
}
