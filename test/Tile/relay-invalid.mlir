// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @no_walk(%u: !field) {
  // expected-error@+1 {{expected 'relay' with 'walk' only, and without 'layout'}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], relay = 2> {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @too_many(%u: !field) {
  // expected-error@+1 {{expected 'relay' to have numbers from 1 to 32, got 33}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 1], points = [1, 2], walk = 0, relay = 33> {
  }
  return
}

// -----

// Of all legs.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @threads(%u: !field) {
  // expected-error@+1 {{expected at most 1024 threads in a block}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 64], points = [1, 2], walk = 0, relay = 32> {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @no_relay(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], walk = 0> {
    // expected-error@+1 {{expected 'relay' of a ring with 'fill = stage', without 'overlay', in a grid with a 'relay'}}
    %h = tile.ring relay : !tile.ring<2 x [0,1]x[0,64]xf64, fill = stage>
    tile.walk lookback 0 plane %p {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @nobody_takes(%u: !field) {
  // expected-error@+1 {{expected a tile.take, as its grid has a 'relay'}}
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], walk = 0, relay = 2> {
    tile.walk lookback 0 plane %p {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<2 x [0,1]x[0,64]xf64>
!wide = !tile.ring<2 x [0,1]x[-4,68]xf64, fill = stage>
func.func @other_box(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], walk = 0, relay = 2> {
    %w = tile.ring : !ring
    %h = tile.ring relay : !wide
    tile.walk lookback 4 plane %p cursors(%c : !tile.cursor<2>) {
      tile.copy %a[%p] to %w[%c] plane 4 : !field, !ring
      // expected-error@+1 {{expected rings of one box, one element type and the same rows}}
      %x = tile.take %w[%c] or %h[%c] : !ring, !wide -> !stencil.temp<[2,3]x[0,64]xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<2 x [0,1]x[0,64]xf64>
!handed = !tile.ring<2 x [0,1]x[0,64]xf64, fill = stage>
func.func @early(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], walk = 0, relay = 2> {
    %w = tile.ring : !ring
    %h = tile.ring relay : !handed
    tile.walk lookback 4 plane %p cursors(%c : !tile.cursor<2>) {
      tile.copy %a[%p] to %w[%c] plane 3 : !field, !ring
      // The first of two legs begins with plane p + 4.
      // expected-error@+1 {{reads plane p + 4 of a ring that has planes up to p + 3 here}}
      %x = tile.take %w[%c] or %h[%c] : !ring, !handed -> !stencil.temp<[2,3]x[0,64]xf64>
      %s = tile.shift %x : !stencil.temp<[2,3]x[0,64]xf64> -> !stencil.temp<[1,2]x[0,64]xf64>
      tile.put %s to %h[%c] plane 1 : !stencil.temp<[1,2]x[0,64]xf64>, !handed
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<2 x [0,1]x[0,64]xf64>
!handed = !tile.ring<2 x [0,1]x[0,64]xf64, fill = stage>
func.func @condition(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], walk = 0, relay = 2> {
    %w = tile.ring : !ring
    %h = tile.ring relay : !handed
    tile.walk lookback 4 plane %p cursors(%c : !tile.cursor<2>) {
      tile.copy %a[%p] to %w[%c] plane 4 : !field, !ring
      %x = tile.take %w[%c] or %h[%c] : !ring, !handed -> !stencil.temp<[2,3]x[0,64]xf64>
      // expected-error@+1 {{expected no conditions and no boundaries in a grid with a 'relay'}}
      %y = tile.where plane %p needs <[0, 0], [1, 1]> -> (!stencil.temp<[2,3]x[0,64]xf64>) {
        tile.yield %x : !stencil.temp<[2,3]x[0,64]xf64>
      }
    }
  }
  return
}
