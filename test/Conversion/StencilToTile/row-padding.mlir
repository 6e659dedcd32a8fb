// Rows of a window that are longer in shared memory: pitch; of the copy engine, the box.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: func.func @pitch
// CHECK: tile.ring : !tile.ring<1 x [-1,5]x[0,36]xf64, pitch = 38, fill = async>
func.func @pitch(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x prefetch async attributes {stencil.row_padding = 2 : i64} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, 1], [1, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// CHECK-LABEL: func.func @box
// CHECK: tile.ring : !tile.ring<1 x [-1,5]x[0,38]xf64, fill = tma>
func.func @box(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x prefetch tma attributes {stencil.row_padding = 2 : i64} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, 1], [1, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @odd(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'stencil.row_padding' of a multiple of 16 bytes, got 24}}
    %w = stencil.window shared %x attributes {stencil.row_padding = 3 : i64} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.access %a[0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @wide(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected at most 256 points of a tile and its halo along axis 1 for prefetch = tma, got 258}}
    %w = stencil.window shared %x prefetch tma attributes {stencil.row_padding = 222 : i64} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.access %a[0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
