// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-2,66]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @kind(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{expected 'tile.engine' to be an engine, such as #tile.fma, got "taps"}}
    %s = stencil.apply(%t = %x : !any) -> (!tile) attributes {tile.engine = "taps"} {
      %0 = stencil.access %t[0] : !any
      stencil.return %0 : f64
    }
  }
  return
}

// -----

// expected-error@+1 {{expected 'tile.engine' on a stencil.apply of a tile.kernel only}}
func.func @place() attributes {tile.engine = #tile.fma} {
  return
}

// -----

// expected-error@+1 {{unknown attribute 'tile.motor', expected tile.layout, tile.engine or tile.plane}}
func.func @name() attributes {tile.motor = #tile.fma} {
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!tile = !stencil.temp<[0,1]xf64>
func.func @plane(%u: !field, %x: f64) {
  tile.kernel @k(%a = %u : !field, %b = %x : f64) grid <domain = <[0], [64]>, block = [1], points = [1], walk = 0> {
    tile.walk plane %p {
      // expected-error@+1 {{expected 'tile.plane' to be the number of an index among 2 arguments, got 1 : i64}}
      %s = stencil.apply(%i = %p : index, %t = %b : f64) -> (!tile) attributes {tile.plane = 1} {
        stencil.return %t : f64
      }
      tile.store %s to %a[%p] : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @body(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{cannot be computed by #tile.taps: expected a body of one stencil.weighted_sum of the one input, and its return}}
    %s = stencil.apply(%t = %x : !any) -> (!tile) attributes {tile.engine = #tile.taps} {
      %0 = stencil.access %t[0] : !any
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @source(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-error@+1 {{cannot be computed by #tile.taps: expected a tile.source of a ring as input}}
    %s = stencil.apply(%t = %x : !any) -> (!tile) attributes {tile.engine = #tile.taps} {
      %0 = stencil.weighted_sum %t offsets [[0], [1]] weights dense<2.0> : tensor<2xf64> : !any
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!ring = !tile.ring<1 x [-2,34]xf64>
!read = !stencil.temp<[-2,34]xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @zeros(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    // expected-error@+1 {{cannot be computed by #tile.taps: expected a tap with a weight that is not 0}}
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.taps} {
      %0 = stencil.weighted_sum %t offsets [[0], [1]] weights dense<0.0> : tensor<2xf64> : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!ring = !tile.ring<1 x [-2,34]xf64>
!read = !stencil.temp<[-2,34]xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @weights(%u: !field, %k: f64) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %w = tile.ring : !ring
    tile.copy %a to %w : !field, !ring
    %x = tile.source %w : !ring -> !read
    %one = arith.constant 1.0 : f64
    // expected-error@+1 {{cannot be computed by #tile.taps: expected a body of one stencil.weighted_sum}}
    %s = stencil.apply(%t = %x : !read, %c = %one : f64) -> (!tile) attributes {tile.engine = #tile.taps} {
      %0 = stencil.weighted_sum %t offsets [[0]] weights(%c) : !read
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!ring = !tile.ring<1 x [0,1]x[-2,34]xf64>
!read = !stencil.temp<[0,1]x[-2,34]xf64>
!tile = !stencil.temp<[0,1]x[0,32]xf64>
func.func @walk(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk plane %p cursors(%c : !tile.cursor<1>) {
      tile.copy %a[%p] to %w[%c] : !field, !ring
      tile.barrier
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{cannot be computed by #tile.taps: expected a kernel that does not walk, which has all planes of its tile in one slot}}
      %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.taps} {
        %0 = stencil.weighted_sum %t offsets [[0, 0], [0, 1]] weights dense<2.0> : tensor<2xf64> : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @order(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        stencil.return %0 : f64
      }
      // expected-error@+1 {{expected 'images' to name axes from 0 to 0 in ascending order, got array<i64: 0, 0>}}
      tile.store %r to %b images [0, 0] : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-3,9]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @narrow(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [5]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        stencil.return %0 : f64
      }
      // expected-error@+1 {{expected at least 7 points along axis 0, as many as its halos have, for 'images', got 5}}
      tile.store %r to %b images [0] : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,?+1]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @open(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [?]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        stencil.return %0 : f64
      }
      // expected-error@+1 {{expected known bounds along axis 0 for 'images'}}
      tile.store %r to %b images [0] : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]x[-1,9]xf64>
func.func @along(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [8, 8]>, block = [4, 4], points = [1, 1]> {
    tile.where {
      // expected-error@+1 {{expected 'along' to be an axis before the last one, 1, got 1}}
      tile.prefetch %a at [1] along 1 : !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]x[-1,9]xf64>
func.func @offsets(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [8, 8]>, block = [4, 4], points = [1, 1]> {
    tile.where {
      // expected-error@+1 {{expected a field or more, and as many offsets, got 1 and 2}}
      tile.prefetch %a at [1, 1] along 0 : !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]x[-1,9]xf64>
func.func @outside(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [8, 8]>, block = [4, 4], points = [1, 1]> {
    tile.where {
      // expected-error@+1 {{expected offsets of points in the field, from -1 to 1, got 2}}
      tile.prefetch %a at [2] along 0 : !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,9]x[-1,9]xf64>
func.func @needs(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [8, 8]>, block = [4, 4], points = [1, 1]> {
    tile.where needs <[0, 0], [2, 1]> {
      // expected-error@+1 {{expected a tile.where without 'needs' around it}}
      tile.prefetch %a at [1] along 0 : !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @unrolled(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [63]>, block = [16], points = [2]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      // expected-error@+1 {{expected a domain and points of a thread that are multiples of 2 along axis 0, as the body returns that many at once, got #stencil.bounds<[0], [63]> and 2}}
      %s = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        stencil.return %0, %0 unroll <[2]> : f64, f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @aligned(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [16], points = [2], align = 2> {
    %x = tile.source %a : !field -> !any
    tile.where {
      // expected-error@+1 {{expected the first tile to begin with the domain, as the body returns several points of a row, got 'align = 2'}}
      %s = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        stencil.return %0, %0 unroll <[2]> : f64, f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,18]x[-2,66]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,4]x[0,32]xf64>
func.func @lanes_inputs(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [16, 64]>, block = [4, 32], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    %n = ub.poison : !tile
    tile.where {
      // expected-error@+1 {{cannot be computed by #tile.lanes: expected a tile.source and values that threads hold of it, or a tile.join of values and these, as inputs}}
      %s = stencil.apply(%t = %x : !any) -> (!tile) attributes {tile.engine = #tile.lanes} {
        %0 = stencil.access %t[0, 1] : !any
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

// Of values that another op has made.
!tile = !stencil.temp<[0,4]x[0,32]xf64>
!wide = !stencil.temp<[0,4]x[-1,33]xf64>
func.func @lanes_join() {
  tile.kernel @k() grid <domain = <[0, 0], [16, 64]>, block = [4, 32], points = [1, 1], inner = <[0, 1], [4, 31]>> {
    %n = ub.poison : !tile
    %m = ub.poison : !tile
    %x = tile.join %n : !tile -> !wide
    // expected-error@+1 {{cannot be computed by #tile.lanes: expected a tile.source and values that threads hold of it, or a tile.join of values and these, as inputs}}
    %s = stencil.apply(%t = %x : !wide, %q = %m : !tile) -> (!tile) attributes {tile.engine = #tile.lanes} {
      %0 = stencil.access %t[0, 1] : !wide
      stencil.return %0 : f64
    }
  }
  return
}

// -----

// Rows of threads that no warp has.
!tile = !stencil.temp<[0,1]x[0,128]xf64>
!wide = !stencil.temp<[0,1]x[-1,129]xf64>
func.func @lanes_warps() {
  tile.kernel @k() grid <domain = <[0, 0], [16, 640]>, block = [1, 128], points = [1, 1], inner = <[0, 1], [1, 127]>> {
    %n = ub.poison : !tile
    %x = tile.join %n : !tile -> !wide
    // expected-error@+1 {{cannot be computed by #tile.lanes: expected at most 64 threads along axis 1, which can be in one warp, got 128}}
    %s = stencil.apply(%t = %x : !wide, %q = %n : !tile) -> (!tile) attributes {tile.engine = #tile.lanes} {
      %0 = stencil.access %t[0, 1] : !wide
      stencil.return %0 : f64
    }
  }
  return
}

// -----

// Other threads have what is beside the tile only for an engine that asks them.
!tile = !stencil.temp<[0,1]x[0,32]xf64>
!wide = !stencil.temp<[0,1]x[-1,33]xf64>
func.func @wide_fma() {
  tile.kernel @k() grid <domain = <[0, 0], [16, 64]>, block = [1, 32], points = [1, 1], inner = <[0, 1], [1, 31]>> {
    %n = ub.poison : !tile
    // expected-note@+1 {{the values are these}}
    %x = tile.join %n : !tile -> !wide
    %s = stencil.apply(%t = %x : !wide) -> (!tile) {
      // expected-error@+1 {{reads neighbours of values that other threads hold: expected offset 0 along all axes but that of the walk}}
      %0 = stencil.access %t[0, 1] : !wide
      stencil.return %0 : f64
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!tile = !stencil.temp<[0,32]xf64>
func.func @overlapping_images(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0], [64]>, block = [32], points = [1], inner = <[1], [31]>> {
    %n = ub.poison : !tile
    tile.where {
      // expected-error@+1 {{expected no 'images' in a grid whose tiles overlap ('inner')}}
      tile.store %n to %a images [0] : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,18]x[-2,66]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,4]x[0,32]xf64>
func.func @lanes_rows(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [16, 64]>, block = [4, 32], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    %n = ub.poison : !tile
    tile.where {
      // expected-error@+1 {{cannot be computed by #tile.lanes: expected neighbours along axis 1, that of rows, only, got offset 1 along axis 0}}
      %s = stencil.apply(%t = %x : !any, %q = %n : !tile) -> (!tile) attributes {tile.engine = #tile.lanes} {
        %0 = stencil.access %t[1, 0] : !any
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-2,18]x[-2,66]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,4]x[0,32]xf64>
func.func @lanes_body(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [16, 64]>, block = [4, 32], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    %n = ub.poison : !tile
    tile.where {
      // expected-error@+1 {{cannot be computed by #tile.lanes: expected accesses of the source only, got stencil.access}}
      %s = stencil.apply(%t = %x : !any, %q = %n : !tile) -> (!tile) attributes {tile.engine = #tile.lanes} {
        %0 = stencil.access %q[0, 0] : !tile
        stencil.return %0 : f64
      }
    }
  }
  return
}
