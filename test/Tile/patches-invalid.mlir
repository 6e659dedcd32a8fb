// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a lower and an upper condition for each of 2 axes, got 2 conditions}}
#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic]>

// -----

// expected-error @+1 {{expected a reach of 2 axes, got #stencil.bounds<[-1], [2]>}}
#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann], reach = <[-1], [2]>>

// -----

// expected-error @+1 {{expected a reach around the box, got #stencil.bounds<[1, 0], [2, 1]>}}
#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann], reach = <[1, 0], [2, 1]>>

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @no_needs(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.copy' op expected 'needs' of rank 2 with 'boundary'}}
      tile.copy %a[%p] to %w[%c] boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0], [13]>, sides = [#stencil.periodic]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @rank(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.fringe' op expected a boundary of rank 2, that of the grid, got #tile.boundary}}
      tile.fringe %a[%p] for %w needs <[0, 0], [1, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann | #stencil.periodic]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @half_periodic(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.patch' op expected a periodic condition on both sides of axis 1 or on none}}
      tile.patch %w[%c] from %a[%p] needs <[0, 0], [1, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,17]xf64>

// Threads would write to the next slot.
func.func @room(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.patch' op expected a ring that has what is needed around the tile, [-2,17] along axis 1, got [-1,17]}}
      tile.patch %w[%c] from %a[%p] needs <[0, -2], [1, 2]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 32]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,17]xf64>

func.func @outside(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.copy' op expected the box #stencil.bounds<[0, 0], [13, 32]> to lie in the field '!stencil.field<[-1,14]x[-1,31]xf64>'}}
      tile.copy %a[%p] to %w[%c] needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.keep]>
!field = !stencil.field<[0,13]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,17]xf64>

// What is kept in corners is read there.
func.func @kept(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.fringe' op expected a field that has what is kept around the box, 'needs' around each point of #stencil.bounds<[0, 0], [13, 30]>, got '!stencil.field<[0,13]x[-1,31]xf64>'}}
      tile.fringe %a[%p] for %w needs <[-1, -1], [2, 2]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 1]>, sides = [#stencil.periodic, #stencil.symmetric]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>

func.func @narrow(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 1]>, block = [1, 16], points = [1, 1]> {
    // expected-error @+1 {{'tile.at_edge' op expected at least 2 interior points on axis 1 for #stencil.symmetric with a halo of 1, got 1}}
    %e = tile.at_edge needs <[0, -1], [1, 2]> boundary #edge : i1
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, 1 : i32]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>

func.func @no_condition(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1]> {
    // expected-error @+1 {{'tile.at_edge' op expected a boundary condition, got 1 : i32}}
    %e = tile.at_edge needs <[0, -1], [1, 2]> boundary #edge : i1
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic | #stencil.keep, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>

func.func @half_periodic(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1]> {
    // expected-error @+1 {{'tile.at_edge' op expected a periodic condition on both sides of axis 0 or on none}}
    %e = tile.at_edge needs <[0, -1], [1, 2]> boundary #edge : i1
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @no_patch(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.copy' op expected a tile.patch in the walk for its 'boundary'}}
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @no_boundary(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      // expected-error @+1 {{'tile.fringe' op expected a ring whose copy in the walk has a 'boundary'}}
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @other_needs(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      // expected-note @+1 {{the copy is here}}
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-error @+1 {{'tile.patch' op expected the field, the 'needs' and the 'boundary' of the ring's copy}}
      tile.patch %w[%c] plane 1 from %a[%p] needs <[0, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

// It is behind: it loads for the next iteration.
func.func @late_halo(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-error @+1 {{'tile.patch' op patches plane p + 1, but fringes up to p + 0 have been loaded}}
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @far_halo(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-error @+1 {{'tile.fringe' op expected a plane at most 32 ahead of the one that is patched, p + 1, got p + 34}}
      tile.fringe %a[%p] for %w plane 34 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64, fill = async>

func.func @no_wait(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-error @+1 {{'tile.patch' op patches a ring that is filled by 'async' without a tile.wait in the walk}}
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.copy %a[%p] to %w[%c] plane 2 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64, fill = tma>

func.func @early(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 3 plane %p cursors(%c: !tile.cursor<4>) {
      tile.fringe %a[%p] for %w plane 2 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.wait %w[%c] plane 1 : !ring
      // expected-error @+1 {{'tile.patch' op patches plane p + 2 of a ring that has planes up to p + 1 here}}
      tile.patch %w[%c] plane 2 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.copy %a[%p] to %w[%c] plane 2 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<2 x [0,1]x[0,16]xf64>

func.func @lost(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<2>) {
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.fringe %a[%p] for %w plane -1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-error @+1 {{'tile.patch' op patches plane p + -1, which a ring of 2 slots has lost: the oldest one is p + 0}}
      tile.patch %w[%c] plane -1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

// Plane p + 0 of the first iteration would never be patched.
func.func @lookback(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-error @+1 {{'tile.patch' op patches plane p + 1 first, but planes from p + 0 of the first iteration on are needed: expected a lookback of at least 2, got 1}}
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>

func.func @two(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-error @+1 {{'tile.patch' op expected one patch per iteration to a ring, got another one}}
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      // expected-note @+1 {{the other one is here}}
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<4 x [0,1]x[0,16]xf64>
!row = !stencil.temp<[0,1]x[0,16]xf64>
!next = !stencil.temp<[0,2]x[0,16]xf64>

func.func @read_first(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 30]>, block = [1, 16], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 2 plane %p cursors(%c: !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      tile.fringe %a[%p] for %w plane 1 needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
      %x = tile.source %w[%c] : !ring -> !next
      // expected-error @+1 {{'stencil.apply' op reads plane p + 1 of a ring that is patched up to p + 0 here}}
      %r = stencil.apply(%t = %x : !next) -> (!row) {
        %s = stencil.access %t[1, 0] : !next
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
      tile.patch %w[%c] plane 1 from %a[%p] needs <[-1, 0], [2, 1]> boundary #edge : !field, !ring
    }
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<1 x [0,4]x[-1,17]xf64>

func.func @unpatched_tile(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 30]>, block = [4, 16], points = [1, 1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    %x = tile.source %w : !ring -> !stencil.temp<[0,4]x[-1,17]xf64>
    // expected-error @+1 {{'stencil.apply' op reads a ring whose boundary nothing has applied: expected a tile.patch in front of it}}
    %r = stencil.apply(%t = %x : !stencil.temp<[0,4]x[-1,17]xf64>) -> (!stencil.temp<[0,4]x[0,16]xf64>) {
      %s = stencil.access %t[0, 1] : !stencil.temp<[0,4]x[-1,17]xf64>
      stencil.return %s : f64
    }
    tile.store %r to %b : !stencil.temp<[0,4]x[0,16]xf64> to !field
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<1 x [0,4]x[-1,17]xf64>

func.func @no_halo(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [4, 16], points = [1, 1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    // expected-error @+1 {{'tile.patch' op expected a tile.fringe in front of it}}
    tile.patch %w from %a needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
  }
  return
}

// -----

#edge = #tile.boundary<box = <[0, 0], [13, 30]>, sides = [#stencil.periodic, #stencil.neumann]>
!field = !stencil.field<[-1,14]x[-1,31]xf64>
!ring = !tile.ring<1 x [0,4]x[-1,17]xf64>
!tile = !stencil.temp<[0,4]x[0,16]xf64>

// Blocks run in any order.
func.func @stored(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [13, 30]>, block = [4, 16], points = [1, 1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    // expected-error @+1 {{reads neighbours in a field that the kernel stores to}}
    tile.fringe %a for %w needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    tile.patch %w from %a needs <[0, -1], [1, 2]> boundary #edge : !field, !ring
    %r = stencil.apply() -> (!tile) {
      %s = arith.constant 1.0 : f64
      stencil.return %s : f64
    }
    // expected-note @+1 {{it is stored to here}}
    tile.store %r to %a : !tile to !field
  }
  return
}
