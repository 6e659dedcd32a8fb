// Rings that stages fill, and stages beside the tile: what they must not do.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,9]xf64>
!tile = !stencil.temp<[0,4]xf64>
!wide = !stencil.temp<[-1,6]xf64>
!any = !stencil.temp<?xf64>
!ring = !tile.ring<1 x [-1,5]xf64, fill = stage>
!copied = !tile.ring<1 x [-1,5]xf64>
func.func @ring(%u: !field, %v: !field) {
  tile.kernel @copied(%a = %u : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %w = tile.ring : !ring
    // expected-error@+1 {{expected a ring that copies fill, got one with 'fill = stage', which a tile.put fills}}
    tile.copy %a to %w : !field, !ring
  }
  return
}

// -----

!ring = !tile.ring<1 x [-1,5]xf64, fill = stage>
func.func @wait() {
  tile.kernel @k() grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %w = tile.ring : !ring
    // expected-error@+1 {{expected a ring that is not filled by 'stage', which nobody waits for}}
    tile.wait %w : !ring
  }
  return
}

// -----

!tile = !stencil.temp<[0,4]xf64>
!copied = !tile.ring<1 x [-1,5]xf64>
func.func @fill() {
  tile.kernel @k() grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %w = tile.ring : !copied
    %x = ub.poison : !tile
    // expected-error@+1 {{expected a ring with 'fill = stage', got '!tile.ring<1 x [-1,5]xf64>'}}
    tile.put %x to %w : !tile, !copied
  }
  return
}

// -----

!part = !stencil.temp<[1,4]xf64>
!ring = !tile.ring<1 x [-1,5]xf64, fill = stage>
func.func @box() {
  tile.kernel @k() grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %w = tile.ring : !ring
    %x = ub.poison : !part
    // expected-error@+1 {{expected values and a ring that have the tile, [0,4] along axis 0, got [1,4] and [-1,5]}}
    tile.put %x to %w : !part, !ring
  }
  return
}

// -----

!plane = !stencil.temp<[1,2]x[0,4]xf64>
!ring = !tile.ring<2 x [0,1]x[0,4]xf64, fill = stage>
func.func @plane() {
  tile.kernel @k() grid <domain = <[0, 0], [8, 8]>, block = [1, 4], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %x = ub.poison : !plane
    tile.walk plane %p cursors(%c : !tile.cursor<2>) {
      // expected-error@+1 {{expected values of plane p + 2, [2,3] along axis 0, got [1,2]}}
      tile.put %x to %w[%c] plane 2 : !plane, !ring
    }
  }
  return
}

// -----

// A put brings no planes before the first iteration's.
!plane = !stencil.temp<[1,2]x[0,4]xf64>
!row = !stencil.temp<[0,1]x[0,4]xf64>
!two = !stencil.temp<[-1,2]x[0,4]xf64>
!field = !stencil.field<[0,8]x[0,8]xf64>
!ring = !tile.ring<3 x [0,1]x[0,4]xf64, fill = stage>
func.func @lookback(%v: !field) {
  tile.kernel @k(%b = %v : !field) grid <domain = <[0, 0], [8, 8]>, block = [1, 4], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %x = ub.poison : !plane
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<3>) {
      tile.put %x to %w[%c] plane 1 : !plane, !ring
      %s = tile.source %w[%c] : !ring -> !two
      // expected-error@+1 {{reads plane p + -1, which no put brings for the first plane that is stored: expected a lookback of at least 2, got 1}}
      %r = stencil.apply(%t = %s : !two) -> (!row) {
        %0 = stencil.access %t[-1, 0] : !two
        stencil.return %0 : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }
  return
}

// -----

!tile = !stencil.temp<[0,4]xf64>
!ring = !tile.ring<1 x [0,4]xf64, fill = stage>
!field = !stencil.field<[0,8]xf64>
func.func @unfilled(%v: !field) {
  tile.kernel @k(%b = %v : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %w = tile.ring : !ring
    %s = tile.source %w : !ring -> !tile
    // expected-error@+1 {{reads a ring that nothing has filled: expected a tile.put in front of it}}
    tile.store %s to %b : !tile to !field
  }
  return
}

// -----

!tile = !stencil.temp<[0,4]xf64>
!ring = !tile.ring<1 x [0,4]xf64, fill = stage>
!field = !stencil.field<[0,8]xf64>
func.func @store_where(%v: !field) {
  tile.kernel @k(%b = %v : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %w = tile.ring : !ring
    %x = ub.poison : !tile
    tile.put %x to %w : !tile, !ring
    %s = tile.source %w : !ring -> !tile
    tile.where {
      // expected-error@+1 {{expected to be outside of a tile.where, as all threads take part}}
      tile.store %s to %b : !tile to !field
    }
  }
  return
}

// -----

// expected-error@+1 {{expected a box that has the core, [0,4] along axis 0, got [1,5]}}
#layout = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 4 by 1]>, box = <[1], [5]>>
func.func private @no_core() attributes {test.layout = #layout}

// -----

// expected-error@+1 {{expected points beside the core, got a box of the core alone}}
#layout = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 4 by 1]>, box = <[0], [4]>>
func.func private @no_rim() attributes {test.layout = #layout}

// -----

// expected-error@+1 {{expected a 'vector' that divides a row of the core, 4 points, got 3}}
#layout = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 4 by 1]>, box = <[-1], [5]>, vector = 3>
func.func private @odd_groups() attributes {test.layout = #layout}

// -----

// expected-error@+1 {{expected a 'vector' that divides a row of the core, 4 points, got 0}}
#layout = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 4 by 1]>, box = <[-1], [5]>, vector = 0>
func.func private @no_groups() attributes {test.layout = #layout}

// -----

#layout = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 4 by 1]>, box = <[-1], [5]>>
!field = !stencil.field<[-3,11]xf64>
!any = !stencil.temp<?xf64>
!wide = !stencil.temp<[-2,5]xf64>
func.func @beyond(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected a box that has the tile and lies in that of its layout: from [0,4] to [-1,5] along axis 0, got [-2,5]}}
    %r = stencil.apply(%t = %x : !any) -> (!wide) attributes {tile.layout = #layout} {
      %0 = stencil.access %t[0] : !any
      stencil.return %0 : f64
    }
  }
  return
}

// -----

#layout = #tile.core_and_rim<core = <rank = 1, registers = [0: 2 by 1], threads = [0: 4 by 2]>, box = <[-1], [9]>>
!field = !stencil.field<[-3,11]xf64>
!any = !stencil.temp<?xf64>
!wide = !stencil.temp<[-1,5]xf64>
func.func @other_core(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected the kernel's layout as the core}}
    %r = stencil.apply(%t = %x : !any) -> (!wide) attributes {tile.layout = #layout} {
      %0 = stencil.access %t[0] : !any
      stencil.return %0 : f64
    }
  }
  return
}

// -----

// Another layout, other threads beside the tile.
#one = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 4 by 1]>, box = <[-1], [5]>>
#two = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 4 by 1]>, box = <[-2], [5]>>
!field = !stencil.field<[-3,11]xf64>
!any = !stencil.temp<?xf64>
!wide = !stencil.temp<[-1,5]xf64>
func.func @others(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-note@+1 {{the values are these}}
    %m = stencil.apply(%t = %x : !any) -> (!wide) attributes {tile.layout = #one} {
      %0 = stencil.access %t[0] : !any
      stencil.return %0 : f64
    }
    // expected-error@+1 {{expected to read values of its own layout, which its threads hold, got values of #tile.core_and_rim<}}
    %r = stencil.apply(%t = %m : !wide) -> (!wide) attributes {tile.layout = #two} {
      %0 = stencil.access %t[0] : !wide
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!plane = !stencil.temp<[0,1]x[0,4]xf64>
func.func @where_plane() {
  tile.kernel @k() grid <domain = <[0, 0], [8, 8]>, block = [1, 4], points = [1, 1], walk = 0> {
    tile.walk plane %p {
      // expected-error@+1 {{expected 'needs' with a plane}}
      tile.where plane %p {
      }
    }
  }
  return
}

// -----

func.func @where_nested() {
  tile.kernel @k() grid <domain = <[0, 0], [8, 8]>, block = [1, 4], points = [1, 1], walk = 0> {
    tile.walk plane %p {
      tile.where needs <[0, 0], [1, 1]> {
        // expected-error@+1 {{expected to be outside of a tile.where, but for one without a plane in one with a plane}}
        tile.where plane %p needs <[0, 0], [1, 1]> {
        }
      }
    }
  }
  return
}
