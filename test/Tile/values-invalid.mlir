// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// Stages, and the values that threads hold.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @stage_all(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'stencil.apply' op expected values on a box of rank 2, got '!stencil.temp<?x?xf64>'}}
      %r = stencil.apply(%t = %x : !read) -> (!any) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @stage_multi_planes(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'stencil.apply' op expected a box that its layout covers: 1 points along axis 0, got 3}}
      %r = stencil.apply(%t = %x : !read) -> (!stencil.temp<[-1,2]x[0,32]xf64>) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @stage_wide_box(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'stencil.apply' op expected a box that its layout covers: 32 points along axis 1, got 33}}
      %r = stencil.apply(%t = %x : !read) -> (!stencil.temp<[0,1]x[0,33]xf64>) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @stage_off_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-note@+1 {{evaluated on #stencil.bounds<[0, 0], [1, 32]> here}}
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        // expected-error@+1 {{'stencil.access' op accesses [2,3) of axis 0, expected to stay in '!stencil.temp<[-1,2]x[-1,33]xf64>'}}
        %0 = stencil.access %t[2, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @layout_rank(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'stencil.apply' op expected a layout of rank 2, that of the grid, got 1}}
      %r = stencil.apply(%t = %x : !read) -> (!row) attributes {tile.layout = #tile.layout<rank = 1, registers = [], threads = [0: 32 by 1]>} {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @layout_rank3(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'stencil.apply' op expected a layout of rank 2, that of the grid, got 3}}
      %r = stencil.apply(%t = %x : !read) -> (!row) attributes {tile.layout = #tile.layout<rank = 3, registers = [], threads = [1: 32 by 1]>} {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @layout_small(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'stencil.apply' op expected a box that its layout covers: 1 points along axis 1, got 32}}
      %r = stencil.apply(%t = %x : !read) -> (!row) attributes {tile.layout = #tile.layout<rank = 2, registers = [], threads = [0: 32 by 1]>} {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @layout_threads(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'stencil.apply' op expected a layout for the 32 threads of the kernel, got one for 64}}
      %r = stencil.apply(%t = %x : !read) -> (!row) attributes {tile.layout = #tile.layout<rank = 2, registers = [], threads = [1: 64 by 1]>} {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @stage_buffer(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'stencil.apply' op expected values and numbers, got '!stencil.field<[-1,65]x[-1,65]xf64>': a field of a kernel is read by way of a tile.source}}
      stencil.apply(%t = %a : !field) outs (%b : !field) {
        %0 = stencil.access %t[0,0] : !field
        stencil.return %0 : f64
      } to <[0,0],[64,64]>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @join_empty_generic(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.join' op expected at least one value}}
      %j = "tile.join"() : () -> !row
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
func.func @join_any(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %n = ub.poison : !any
      // expected-error@+1 {{'tile.join' op expected values on boxes of rank 2, got '!stencil.temp<?x?xf64>'}}
      %j = tile.join %n : !any -> !any
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!lower = !stencil.temp<[-1,0]x[0,32]xf64>
!next = !stencil.temp<[1,2]x[0,32]xf64>
func.func @join_gap(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %n = ub.poison : !lower
      %m = ub.poison : !next
      // expected-error@+1 {{'tile.join' op expected a box that follows the one before along axis 0, #stencil.bounds<[0, 0], [1, 32]>, got #stencil.bounds<[1, 0], [2, 32]>}}
      %j = tile.join %n, %m : !lower, !next -> !stencil.temp<[-1,2]x[0,32]xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @join_flat(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %n = ub.poison : !tile
    // expected-error@+1 {{'tile.join' op expected a kernel that walks}}
    %j = tile.join %n, %n : !tile, !tile -> !tile
  }
  return
}

// -----

// Wider along rows only: other rows are no neighbours of a thread.
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @join_wide() {
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %n = ub.poison : !tile
    // expected-error@+1 {{'tile.join' op expected a result on the joined box, #stencil.bounds<[0, 0], [2, 32]>, or a wider one along the last axis, got '!stencil.temp<[-1,2]x[0,32]xf64>'}}
    %j = tile.join %n : !tile -> !stencil.temp<[-1,2]x[0,32]xf64>
  }
  return
}

// -----

!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @join_narrow() {
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %n = ub.poison : !tile
    // expected-error@+1 {{'tile.join' op expected a result on the joined box, #stencil.bounds<[0, 0], [2, 32]>, or a wider one along the last axis, got '!stencil.temp<[0,2]x[1,32]xf64>'}}
    %j = tile.join %n : !tile -> !stencil.temp<[0,2]x[1,32]xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @join_outside(%u: !field, %r : !row) {
  // expected-error@+1 {{'tile.join' op expected to be in a tile.kernel}}
  %j = tile.join %r : !row -> !row
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!next = !stencil.temp<[1,2]x[0,32]xf64>
func.func @shift_wrong(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %n = ub.poison : !row
      // expected-error@+1 {{'tile.shift' op expected a result of one plane less along the walk, '!stencil.temp<[-1,0]x[0,32]xf64>', got '!stencil.temp<[1,2]x[0,32]xf64>'}}
      %j = tile.shift %n : !row -> !next
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @shift_min2(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{bound out of range: expected a magnitude of at most 1099511627776, got -1099511627777}}
      %s = tile.shift %n : !stencil.temp<[-1099511627776,-1099511627775]x[0,32]xf64> -> !stencil.temp<[-1099511627777,-1099511627776]x[0,32]xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @where_no_term(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      %r = "tile.where"() ({
        // expected-error@+1 {{block with no terminator, has }}
        %r = stencil.apply(%t = %x : !read) -> (!row) {
        }
      }) : () -> (!row)
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_generic_empty(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.where' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
      "tile.where"() ({
      }) : () -> ()
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @where_generic_noterm(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      "tile.where"() ({
        // expected-error@+1 {{block with no terminator, has %4 = "arith.constant"() <{value = 1 : index}> : () -> index}}
        %z = arith.constant 1 : index
      }) : () -> ()
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_two_blocks(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.where' op expects region #0 to have 0 or 1 blocks}}
      "tile.where"() ({
      ^a:
      ^b:
      }) : () -> ()
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_wrong_term(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      "tile.where"() ({
        // expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
        scf.yield
      }) : () -> ()
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_blockarg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.where' op expected a body without arguments, got 1}}
      "tile.where"() ({
      ^a(%i: index):
        tile.yield
      }) : () -> ()
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_barrier(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.where {
        // expected-error@+1 {{'tile.barrier' op expected to be outside of a tile.where, as all threads take part}}
        tile.barrier
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_needs_sym(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.where' op expected offsets that are known as 'needs', got #stencil.bounds<[-1, -1], [2, ?]>}}
      tile.where needs <[-1,-1],[2,?]> {
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_needs_rank(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.where' op expected 'needs' of rank 2, got 1}}
      tile.where needs <[-1],[2]> {
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @where_needs_big(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.where' op expected 'needs' from -1048576 to 1048576, got #stencil.bounds<[-1000000000000, -1000000000000], [1000000000000, 1000000000000]>}}
      tile.where needs <[-1000000000000,-1000000000000],[1000000000000,1000000000000]> {
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!next = !stencil.temp<[1,2]x[0,32]xf64>
func.func @where_result_type(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'tile.where' op expected to yield values of the types of its results, '!stencil.temp<[1,2]x[0,32]xf64>', got '!stencil.temp<[0,1]x[0,32]xf64>'}}
      %r = tile.where -> (!next) {
        %y = stencil.apply(%t = %x : !read) -> (!row) {
          %0 = stencil.access %t[0, 0] : !read
          stencil.return %0 : f64
        }
        tile.yield %y : !row
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @where_outside(%u: !field, %r : !row) {
  // expected-error@+1 {{'tile.where' op expected to be in a tile.kernel}}
  tile.where {
  }
  return
}
