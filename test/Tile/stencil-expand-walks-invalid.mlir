// RUN: stencil-opt %s --stencil-expand-walks --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!ring = !tile.ring<4 x [0,1]x[0,32]xf64>

func.func @no_barrier(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-note @+1 {{and behind this op}}
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      %x = tile.source %w[%c] : !ring -> !row
      // expected-error @+1 {{'stencil.apply' op expected a tile.barrier before it (stencil-place-barriers): a stage reads plane p + 0 of ring 0, which threads have written}}
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
!ring = !tile.ring<4 x [0,1]x[0,32]xf64>

func.func @branch(%u: !field, %b: i1) {
  tile.kernel @k(%a = %u : !field, %f = %b : i1) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      scf.if %f {
        // expected-error @+1 {{'tile.copy' op expected in the body of the tile.walk itself}}
        tile.copy %a[%p] to %w[%c] plane 2 : !field, !ring
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[0,32]xf64>

// As many copies would be in front of the loop.
func.func @far(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      // expected-error @+1 {{'tile.copy' op expected 'plane' from -1024 to 1024, got 4611686018427387904}}
      tile.copy %a[%p] to %w[%c] plane 4611686018427387904 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<6 x [0,1]x[0,32]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>

// Of two planes per iteration, the first one is read with the second one on its way: the barrier of the iteration before is
// not enough.
func.func @two_planes(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 0 unroll 2 plane %p cursors(%c: !tile.cursor<6>) {
      tile.barrier
      // expected-note @+1 {{and behind this op}}
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      %x = tile.source %w[%c] : !ring -> !row
      // expected-error @+1 {{expected a tile.barrier before it (stencil-place-barriers): a stage reads planes of ring 0, which threads have written}}
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
!row = !stencil.temp<[0,1]x[0,32]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @inner_of_another_rank(%u: !field, %v: !field) {
  // expected-error @+1 {{'tile.kernel' op expected a box of 2 axes as 'stencil.inner', got #stencil.bounds<[1], [64]>}}
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> attributes {stencil.inner = #stencil.bounds<[1], [64]>} {
    tile.walk plane %p {
      %x = tile.source %a[%p] : !field -> !temp
      %r = stencil.apply(%t = %x : !temp) -> (!row) {
        %s = stencil.access %t[0, 0] : !temp
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }
  return
}
