// #tile.mma, and layouts of grids: attributes, what a sum is to be, the grid, and what a grid with a layout cannot have.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a shape of M, N and K, got array<i64: 16, 8>}}
func.func private @mma_shape() attributes {x = #tile.mma<shape = [16, 8], patch = [8], along = 0>}

// -----

// expected-error@+1 {{expected numbers from 1 to 256, got 0}}
func.func private @mma_zero() attributes {x = #tile.mma<shape = [16, 8, 0], patch = [8], along = 0>}

// -----

// expected-error@+1 {{expected numbers from 1 to 256, got 257}}
func.func private @mma_large() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [257], along = 0>}

// -----

// expected-error@+1 {{expected a patch of N = 8 outputs, got array<i64: 2, 2>}}
func.func private @mma_outputs() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [2, 2], along = 0>}

// -----

// expected-error@+1 {{expected a patch of N = 8 outputs}}
func.func private @mma_many() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [256, 256, 256, 256, 256, 256, 256, 256, 256], along = 0>}

// -----

// expected-error@+1 {{expected 'along' to be an axis from 0 to 1, got 2}}
func.func private @mma_along() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = 2>}

// -----

// expected-error@+1 {{expected 'along' to be an axis from 0 to 1, got -1}}
func.func private @mma_before() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = -1>}

// -----

// expected-error@+1 {{expected 'gap' to be from 0 to 256 elements, got 257}}
func.func private @mma_gap_long() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, gap = 257>}

// -----

// expected-error@+1 {{expected 'gap' to be from 0 to 256 elements, got -1}}
func.func private @mma_gap_negative() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, gap = -1>}

// -----

// expected-error@+1 {{expected no 'gap', as rows of A lie along axis 0, not the last one}}
func.func private @mma_gap_along() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = 0, gap = 4>}

// -----

// expected-error@+1 {{expected a 'layout' of rank 1, got 2}}
func.func private @grid_rank() attributes {x = #tile.grid<domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 2, registers = [0: 4 by 1], threads = [0: 32 by 4]>>}

// -----

// expected-error@+1 {{expected a 'layout' of 32 threads, as 'block' and 'points' say, got 16}}
func.func private @grid_threads() attributes {x = #tile.grid<domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 8 by 1], threads = [0: 16 by 8]>>}

// -----

// expected-error@+1 {{expected a 'layout' of 4 registers, as 'block' and 'points' say, got 2}}
func.func private @grid_registers() attributes {x = #tile.grid<domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1], threads = [0: 32 by 2]>>}

// -----

// expected-error@+1 {{expected a 'layout' of 8 points along axis 0, as 'block' and 'points' say, got 4}}
func.func private @grid_extent() attributes {x = #tile.grid<domain = <[0, 0], [64, 64]>, block = [4, 8], points = [2, 2], layout = <rank = 2, registers = [1: 4 by 1], threads = [1: 8 by 4, 0: 4 by 1]>>}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_body(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected a body of one stencil.weighted_sum of the one input, and its return}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.access %t[0] : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!read = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_source(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %x = tile.source %a : !field -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected a tile.source of a ring as input}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf32>
!ring = !tile.ring<1 x [-4,132]xf32>
!read = !stencil.temp<[-4,132]xf32>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_weights(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected constant weights and inputs of type 'f64', that of the sum}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_zeros(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected a tap with a weight that is not 0}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf32>
!ring = !tile.ring<1 x [-4,132]xf32>
!read = !stencil.temp<[-4,132]xf32>
!tile = !stencil.temp<[0,128]xf32>
func.func @mma_type(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 16], patch = [8], along = 0>: expected the shape of a matrix instruction for 'f32', got 16x8x16}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 16], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf32> : !read
      stencil.return %0 : f32
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf16>
!ring = !tile.ring<1 x [-1,132]xf16>
!read = !stencil.temp<[-1,132]xf16>
!tile = !stencil.temp<[0,128]xf16>
func.func @mma_odd(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected rows that begin at an even coordinate, an even number of elements apart, of which two are read at once, got '!tile.ring<1 x [-1,132]xf16>'}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 16], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf16> : !read
      stencil.return %0 : f16
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf16>
!ring = !tile.ring<1 x [-2,132]xf16, segment = 8, gap = 3>
!read = !stencil.temp<[-2,132]xf16>
!tile = !stencil.temp<[0,128]xf16>
func.func @mma_odd_gap(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected rows that begin at an even coordinate, an even number of elements apart, of which two are read at once, got '!tile.ring<1 x [-2,132]xf16, segment = 8, gap = 3>'}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 16], patch = [8], along = 0, gap = 3>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf16> : !read
      stencil.return %0 : f16
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf16>
!ring = !tile.ring<1 x [-2,132]xf16, pitch = 135>
!read = !stencil.temp<[-2,132]xf16>
!tile = !stencil.temp<[0,128]xf16>
func.func @mma_pitch(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected rows that begin at an even coordinate, an even number of elements apart, of which two are read at once, got '!tile.ring<1 x [-2,132]xf16, pitch = 135>'}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 16], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf16> : !read
      stencil.return %0 : f16
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64, segment = 8, gap = 4>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_no_gap(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected a ring without gaps for its engine, got '!tile.ring<1 x [-4,132]xf64, segment = 8, gap = 4>'}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64, segment = 8, gap = 2>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_other_gap(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected a ring with gaps of 4 behind 8 for its engine, got '!tile.ring<1 x [-4,132]xf64, segment = 8, gap = 2>'}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, gap = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64, segment = 16, gap = 4>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_other_segment(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected a ring with gaps of 4 behind 8 for its engine, got '!tile.ring<1 x [-4,132]xf64, segment = 16, gap = 4>'}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, gap = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_depth(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected the shape of a matrix instruction for 'f64', got 16x8x5}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 5], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
module attributes {stencil.target = #stencil.target<chip = "sm_80">} {
  func.func @mma_chip(%u: !field) {
    tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
      %w = tile.ring : !ring
      tile.copy %a to %w : !field, !ring
      %x = tile.source %w : !ring -> !read
      // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected the shape of a matrix instruction for 'f64' on sm_80, got 16x8x4}}
      %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
        %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
        stencil.return %0 : f64
      }
    }
    return
  }
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_rank(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{expected a patch along 1 axes, got 2}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_layout(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected the layout of the kernel}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>, tile.layout = #tile.layout<rank = 1, registers = [0: 4 by 1], threads = [0: 32 by 4]>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,96]xf64>
func.func @mma_patches(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [3]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected tiles of whole patches for each warp of 32 threads: multiples of array<i64: 8> points, 16 times as many along axis 0, got #stencil.bounds<[0], [96]> for 32 threads}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_warps(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [16], points = [8]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected tiles of whole patches for each warp of 32 threads: multiples of array<i64: 8> points, 16 times as many along axis 0, got #stencil.bounds<[0], [128]> for 16 threads}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,258]xf64>
!ring = !tile.ring<1 x [-4,132]xf64>
!read = !stencil.temp<[-4,132]xf64>
!tile = !stencil.temp<[0,128]xf64>
func.func @mma_blocked(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [256]>, block = [32], points = [4]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>: expected a grid with 'layout = #tile.layout<rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>'}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0>} {
      %0 = stencil.weighted_sum %t offsets [[-1], [1]] weights dense<2.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,258]xf64>
!ring = !tile.ring<1 x [0,1]x[-4,132]xf64>
!read = !stencil.temp<[0,1]x[-4,132]xf64>
!tile = !stencil.temp<[0,1]x[0,128]xf64>
func.func @mma_plane(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 256]>, block = [1, 32], points = [1, 4], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c : !tile.cursor<1>) {
      tile.copy %a[%p] to %w[%c] : !field, !ring
      tile.barrier
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{expected a patch of one plane along the walk, got array<i64: 2, 4>}}
      %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = 1>} {
        %0 = stencil.weighted_sum %t offsets [[0, -1], [0, 1]] weights dense<2.0> : tensor<2xf64> : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,258]xf64>
!ring = !tile.ring<1 x [0,1]x[-4,132]xf64>
!read = !stencil.temp<[0,1]x[-4,132]xf64>
!tile = !stencil.temp<[0,1]x[0,128]xf64>
func.func @mma_along_walk(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 256]>, block = [1, 32], points = [1, 4], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c : !tile.cursor<1>) {
      tile.copy %a[%p] to %w[%c] : !field, !ring
      tile.barrier
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{expected a patch of one plane along the walk, got array<i64: 1, 8>}}
      %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [1, 8], along = 0>} {
        %0 = stencil.weighted_sum %t offsets [[0, -1], [0, 1]] weights dense<2.0> : tensor<2xf64> : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,8]x[0,8]xf64>
func.func @layout_prefetch(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [4, 8], points = [2, 1], layout = <rank = 2, registers = [0: 2 by 4], threads = [1: 8 by 1, 0: 4 by 1]>> {
    tile.where {
      // expected-error@+1 {{expected a grid without 'layout', whose threads have neighbouring points, got}}
      tile.prefetch %a at [1] along 0 : !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,8]x[0,8]xf64>
func.func @layout_images(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [4, 8], points = [2, 1], layout = <rank = 2, registers = [0: 2 by 4], threads = [1: 8 by 1, 0: 4 by 1]>> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0, 0] : !any
        stencil.return %0 : f64
      }
      // expected-error@+1 {{expected a grid without 'layout', whose threads have neighbouring points, got}}
      tile.store %r to %a images [0] : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,8]x[0,8]xf64>
func.func @layout_unroll(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [4, 8], points = [2, 1], layout = <rank = 2, registers = [0: 2 by 4], threads = [1: 8 by 1, 0: 4 by 1]>> {
    %x = tile.source %a : !field -> !any
    tile.where {
      // expected-error@+1 {{expected a grid without 'layout', whose threads have neighbouring points, as the body returns several of them}}
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0, 0] : !any
        stencil.return %0, %0 unroll <[2, 1]> : f64, f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,8]x[0,8]xf64>
func.func @layout_lanes(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [4, 8], points = [2, 1], layout = <rank = 2, registers = [0: 2 by 4], threads = [1: 8 by 1, 0: 4 by 1]>> {
    %x = tile.source %a : !field -> !any
    %n = ub.poison : !tile
    tile.where {
      // expected-error@+1 {{cannot be computed by #tile.lanes: expected a grid without 'layout', in which neighbouring threads have neighbouring points}}
      %s = stencil.apply(%t = %x : !any, %q = %n : !tile) -> (!tile) attributes {tile.engine = #tile.lanes} {
        %0 = stencil.access %t[0, 1] : !any
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

// expected-error@+1 {{expected a stack of 1 to 256 patches, got 0}}
func.func private @mma_stack() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 0>}

// -----

// expected-error@+1 {{expected 'pad' to be from 0 to 256 elements, got -1}}
func.func private @mma_pad() attributes {x = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, pad = -1>}
