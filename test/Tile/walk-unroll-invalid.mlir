// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>

func.func @no_multiple(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error @+1 {{'tile.walk' op expected 'stencil.unroll' to be a multiple of 'unroll', 2, got 3}}
    tile.walk unroll 2 plane %p attributes {stencil.unroll = 3} {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>

func.func @too_many(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error @+1 {{'tile.walk' op expected an i64 from 1 to 32 as 'stencil.unroll', got 33 : i64}}
    tile.walk plane %p attributes {stencil.unroll = 33} {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>

func.func @no_number(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error @+1 {{'tile.walk' op expected an i64 from 1 to 32 as 'stencil.unroll', got "all"}}
    tile.walk plane %p attributes {stencil.unroll = "all"} {
    }
  }
  return
}

// -----

// expected-error @+1 {{'func.func' op expected 'stencil.unroll' on a tile.walk}}
func.func @elsewhere() attributes {stencil.unroll = 2} {
  return
}
