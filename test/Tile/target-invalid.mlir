// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// What the module's target does not have.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
module attributes {stencil.target = #stencil.target<chip = "gfx942">} {
  func.func @module_target_small(%u: !field, %v: !field) {
    // expected-error@+1 {{'tile.kernel' op expected rings of at most 65536 bytes, the shared memory of a block on gfx942, got 102400}}
    tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
      %w = tile.ring : !tile.ring<1 x [0,100]x[0,128]xf64>
    }
    return
  }
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
module attributes {stencil.target = #stencil.target<chip = "gfx942">} {
  func.func @module_target_tma(%u: !field, %v: !field) {
    tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
      // expected-error@+1 {{'tile.ring' op expected a GPU with the tensor memory accelerator for 'fill = tma', got gfx942}}
      %w = tile.ring : !tile.ring<1 x [0,4]x[0,128]xf64, fill = tma>
    }
    return
  }
}
