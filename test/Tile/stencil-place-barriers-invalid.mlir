// RUN: stencil-opt %s --stencil-place-barriers --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[0,32]xf64>

func.func @branch(%u: !field, %b: i1) {
  tile.kernel @k(%a = %u : !field, %f = %b : i1) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c: !tile.cursor<4>) {
      scf.if %f {
        // expected-error @+1 {{'tile.copy' op expected in the body of the tile.walk itself, where its place in the order of ops is known}}
        tile.copy %a[%p] to %w[%c] plane 2 : !field, !ring
      }
    }
  }
  return
}

// -----

func.func @barrier(%b: i1) {
  tile.kernel @k(%f = %b : i1) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1]> {
    scf.if %f {
      // expected-error @+1 {{'tile.barrier' op expected in the body of the tile.kernel itself}}
      tile.barrier
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[0,32]xf64>

func.func @outside(%u: !field, %i: index) {
  tile.kernel @k(%a = %u : !field, %p = %i : index) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %c = tile.cursor %p : !tile.cursor<4>
    // expected-error @+1 {{'tile.copy' op expected in the body of the tile.walk itself}}
    tile.copy %a[%p] to %w[%c] : !field, !ring
    tile.walk plane %q {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>

func.func @stage(%u: !field, %i: index) {
  tile.kernel @k(%a = %u : !field, %p = %i : index) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %x = tile.source %a[%p] : !field -> !stencil.temp<?x?xf64>
    // expected-error @+1 {{'stencil.apply' op expected in the tile.walk}}
    %r = stencil.apply(%t = %x : !stencil.temp<?x?xf64>) -> (!row) {
      %s = stencil.access %t[0, 0] : !stencil.temp<?x?xf64>
      stencil.return %s : f64
    }
    tile.walk plane %q {
    }
  }
  return
}

// -----

!grid = !stencil.field<[0,64]x[0,64]xf64>
!tile = !stencil.temp<[0,1]x[0,32]xf64>
!ring = !tile.ring<1 x [0,1]x[0,32]xf64, fill = async>

// No barrier would help.
func.func @no_wait(%u: !grid, %v: !grid) {
  tile.kernel @k(%a = %u : !grid, %b = %v : !grid) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !grid, !ring
    %x = tile.source %w : !ring -> !tile
    // expected-error @+1 {{'stencil.apply' op reads a ring that nothing has filled: expected a tile.copy and a tile.wait in front of it}}
    %r = stencil.apply(%t = %x : !tile) -> (!tile) {
      %s = stencil.access %t[0, 0] : !tile
      stencil.return %s : f64
    }
    tile.wait %w : !ring
    tile.store %r to %b : !tile to !grid
  }
  return
}

// -----

!grid = !stencil.field<[0,64]x[0,64]xf64>
!tile = !stencil.temp<[0,1]x[0,32]xf64>
!ring = !tile.ring<1 x [0,1]x[0,32]xf64>

func.func @no_copy(%u: !grid, %v: !grid) {
  tile.kernel @k(%a = %u : !grid, %b = %v : !grid) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1]> {
    %w = tile.ring : !ring
    %x = tile.source %w : !ring -> !tile
    // expected-error @+1 {{'stencil.apply' op reads a ring that nothing has filled: expected a tile.copy in front of it}}
    %r = stencil.apply(%t = %x : !tile) -> (!tile) {
      %s = stencil.access %t[0, 0] : !tile
      stencil.return %s : f64
    }
    tile.copy %a to %w : !grid, !ring
    tile.store %r to %b : !tile to !grid
  }
  return
}
