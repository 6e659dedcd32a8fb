// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// Rings, copies, waits, sources and stores.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @ring_two_planes(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.ring' op expected a slot to be one plane: [0,1] along axis 0, got [0,2]}}
    %w = tile.ring : !tile.ring<4 x [0,2]x[-1,33]xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @ring_wrong_after_walk(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.ring' op expected a box of rank 2, that of the grid, got '!tile.ring<4 x [0,1]xf64>'}}
    %z = tile.ring : !tile.ring<4 x [0,1]xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @ring_slots2(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    // expected-error@+1 {{'tile.ring' op expected one slot in a kernel that does not walk, got 2}}
    %w = tile.ring : !tile.ring<2 x [-1,3]x[-1,33]xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @ring_overlay(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.ring' op expected one slot of a ring with an 'overlay', got 4}}
    %w = tile.ring overlay 1 : !ring
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!delayed = !tile.ring<1 x [0,1]x[-1,33]xf64, fill = delayed>
func.func @overlay_delayed(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.ring' op expected another fill than 'delayed' of a ring with an 'overlay' in a walk}}
    %w = tile.ring overlay 1 : !delayed
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!plane = !tile.ring<1 x [0,1]x[0,32]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @overlay_taken(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring overlay 0 : !plane
    %y = tile.ring overlay 1 : !plane
    tile.walk plane %p cursors(%c : !tile.cursor<1>) {
      tile.copy %a[%p] to %w[%c] : !field, !plane
      // expected-note@+1 {{by this copy}}
      tile.copy %a[%p] to %y[%c] : !field, !plane
      %x = tile.source %w[%c] : !plane -> !row
      // expected-error@+1 {{'stencil.apply' op reads a ring whose memory that of another overlay has taken}}
      %r = stencil.apply(%t = %x : !row) -> (!row) {
        %s = stencil.access %t[0, 0] : !row
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64>
func.func @overlay_neg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    // expected-error@+1 {{'tile.ring' op expected 'overlay' from 0 to 1023, got -1}}
    %w = tile.ring overlay -1 : !flat
  }
  return
}

// -----

!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @ring_outside() {
  // expected-error@+1 {{'tile.ring' op expects parent op 'tile.kernel'}}
  %w = tile.ring : !ring
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @ring_in_walk(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.ring' op expects parent op 'tile.kernel'}}
      %z = tile.ring : !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_noiter(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected a plane in a kernel that walks}}
      tile.copy %a to %w[%c] : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_nocursor(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected a cursor in a kernel that walks}}
      tile.copy %a[%p] to %w : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64>
func.func @copy_flat_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !flat
    // expected-error@+1 {{'tile.copy' op expected 'plane' in a kernel that walks only}}
    tile.copy %a to %w plane 1 : !field, !flat
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64>
func.func @copy_flat_iter(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !flat
    %z = arith.constant 0 : index
    // expected-error@+1 {{'tile.copy' op expected no plane in a kernel that does not walk}}
    tile.copy %a[%z] to %w : !field, !flat
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_plane_huge(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected 'plane' from -1024 to 1024, got 9223372036854775807}}
      tile.copy %a[%p] to %w[%c] plane 9223372036854775807 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_needs_sym(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected offsets that are known as 'needs', got #stencil.bounds<[-1, -1], [2, ?]>}}
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, -1], [2, ?]> : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_needs_rank(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected 'needs' of rank 2, got 1}}
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1], [2]> : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_needs_big(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected 'needs' from -1048576 to 1048576, got #stencil.bounds<[-1000000000000, -1000000000000], [1000000000000, 1000000000000]>}}
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1000000000000, -1000000000000], [1000000000000, 1000000000000]> : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @copy_type(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !field
    // expected-error@+1 {{custom op 'tile.copy' expected the type of a ring, got '!stencil.field<[-1,65]x[-1,65]xf64>'}}
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @copy_elem(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !tile.ring<4 x [0,1]x[-1,33]xf32>
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected a field of the rank and the element type of the ring, got '!stencil.field<[-1,65]x[-1,65]xf64>' and '!tile.ring<4 x [0,1]x[-1,33]xf32>'}}
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !tile.ring<4 x [0,1]x[-1,33]xf32>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64>
func.func @copy_rank1(%u: !stencil.field<[0,64]xf64>, %v: !field) {
  tile.kernel @k(%a = %u : !stencil.field<[0,64]xf64>, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !flat
    // expected-error@+1 {{'tile.copy' op expected a field of the rank and the element type of the ring, got '!stencil.field<[0,64]xf64>' and '!tile.ring<1 x [-1,3]x[-1,33]xf64>'}}
    tile.copy %a to %w : !stencil.field<[0,64]xf64>, !flat
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_outside(%u: !field, %w: !ring) {
  // expected-error@+1 {{'tile.copy' op expected to be in a tile.kernel}}
  tile.copy %u to %w : !field, !ring
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_g2(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    "tile.walk"() ({
    ^bb0(%p: index, %c: !tile.cursor<4>):
      // expected-error@+1 {{'tile.copy' op operand #1 must be index, but got '!tile.cursor<4>'}}
      "tile.copy"(%a, %c, %w, %p) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!field, !tile.cursor<4>, !ring, index) -> ()
    }) : () -> ()
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @where_copy(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.where {
        // expected-error@+1 {{'tile.copy' op expected to be outside of a tile.where, as all threads take part}}
        tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @wait_threads(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.wait' op expected a ring that is not filled by 'threads', which nobody waits for}}
      tile.wait %w[%c] plane 1 : !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!async = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
func.func @wait_huge(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.wait' op expected 'plane' from -1024 to 1024, got 9223372036854775807}}
      tile.wait %w[%c] plane 9223372036854775807 : !async
    }
  }
  return
}

// -----

!async = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
func.func @wait_outside(%w: !async) {
  // expected-error@+1 {{'tile.wait' op expected to be in a tile.kernel}}
  tile.wait %w : !async
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!async = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
func.func @wait_g(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    "tile.walk"() ({
    ^bb0(%p: index, %c: !tile.cursor<3>):
      // expected-error@+1 {{'tile.wait' op expected a cursor of 4 slots, as the ring has, got '!tile.cursor<3>'}}
      "tile.wait"(%w, %c) : (!async, !tile.cursor<3>) -> ()
    }) : () -> ()
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @tma_wait_first(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !tile.ring<1 x [-1,3]x[-2,34]xf64, fill = tma>
    // expected-error@+1 {{'tile.wait' op waits for what no tile.copy in front of it has asked for}}
    tile.wait %w : !tile.ring<1 x [-1,3]x[-2,34]xf64, fill = tma>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @tma_no_wait(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !tile.ring<1 x [-1,3]x[-2,34]xf64, fill = tma>
    // expected-error@+1 {{'tile.copy' op expected a tile.wait for the ring: the copy engine writes to it until then}}
    tile.copy %a to %w : !field, !tile.ring<1 x [-1,3]x[-2,34]xf64, fill = tma>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @tma_copy_twice(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !tile.ring<1 x [-1,3]x[-2,34]xf64, fill = tma>
    // expected-error@+1 {{'tile.copy' op expected one copy to a ring of 'fill = tma' in a kernel that does not walk, got another one}}
    tile.copy %a to %w : !field, !tile.ring<1 x [-1,3]x[-2,34]xf64, fill = tma>
    // expected-note@+1 {{the other one is here}}
    tile.copy %b to %w : !field, !tile.ring<1 x [-1,3]x[-2,34]xf64, fill = tma>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!async = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
func.func @wait_where(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.where {
        // expected-error@+1 {{'tile.wait' op expected to be outside of a tile.where, as all threads take part}}
        tile.wait %w[%c] : !async
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @source_g(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    "tile.walk"() ({
    ^bb0(%p: index, %c: !tile.cursor<4>):
      // expected-error@+1 {{'tile.source' op expected a cursor of 4 slots, as the ring has, got 'index'}}
      %x = "tile.source"(%w, %p) : (!ring, index) -> !read
    }) : () -> ()
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
func.func @source_g2(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    "tile.walk"() ({
    ^bb0(%p: index, %c: !tile.cursor<4>):
      // expected-error@+1 {{'tile.source' op expected a plane (index) of a field, got '!tile.cursor<4>'}}
      %x = "tile.source"(%a, %c) : (!field, !tile.cursor<4>) -> !any
    }) : () -> ()
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
func.func @source_outside(%u: !field) {
  // expected-error@+1 {{'tile.source' op expected to be in a tile.kernel}}
  %x = tile.source %u : !field -> !any
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64>
!flatread = !stencil.temp<[-1,3]x[-1,33]xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @unread_ring(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !flat
    %x = tile.source %w : !flat -> !flatread
    // expected-error@+1 {{'stencil.apply' op reads a ring that nothing has filled: expected a tile.copy in front of it}}
    %r = stencil.apply(%t = %x : !flatread) -> (!tile) {
      %0 = stencil.access %t[0, 0] : !flatread
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64>
!flatread = !stencil.temp<[-1,3]x[-1,33]xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @copy_after(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !flat
    %x = tile.source %w : !flat -> !flatread
    // expected-error@+1 {{'stencil.apply' op reads a ring that nothing has filled: expected a tile.copy in front of it}}
    %r = stencil.apply(%t = %x : !flatread) -> (!tile) {
      %0 = stencil.access %t[0, 0] : !flatread
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @store_box(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      %r = stencil.apply(%t = %x : !read) -> (!stencil.temp<[0,1]x[0,31]xf64>) {
      }
      // expected-error@+1 {{'tile.store' op expected values of the tile, #stencil.bounds<[0, 0], [1, 32]>, got '!stencil.temp<[0,1]x[0,31]xf64>'}}
      tile.store %r to %b[%p] : !stencil.temp<[0,1]x[0,31]xf64> to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @store_other_elem(%u: !field, %v: !stencil.field<[-1,65]x[-1,65]xf32>) {
  tile.kernel @k(%a = %u : !field, %b = %v : !stencil.field<[-1,65]x[-1,65]xf32>) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
      }
      // expected-error@+1 {{'tile.store' op expected a field of the rank and the element type of the values, got '!stencil.temp<[0,2]x[0,32]xf64>' and '!stencil.field<[-1,65]x[-1,65]xf32>'}}
      tile.store %r to %b : !tile to !stencil.field<[-1,65]x[-1,65]xf32>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @store_small_field(%u: !field, %v: !stencil.field<[0,63]x[0,64]xf64>) {
  tile.kernel @k(%a = %u : !field, %b = %v : !stencil.field<[0,63]x[0,64]xf64>) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
      }
      // expected-error@+1 {{'tile.store' op expected a field that has all of the domain, #stencil.bounds<[0, 0], [64, 64]>, got '!stencil.field<[0,63]x[0,64]xf64>'}}
      tile.store %r to %b : !tile to !stencil.field<[0,63]x[0,64]xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @store_outside(%u: !field, %r : !row) {
  // expected-error@+1 {{'tile.store' op expected to be in a tile.kernel}}
  tile.store %r to %u : !row to !field
  return
}
