// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// Kernels and their grids.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @nested(%u: !field, %v: !field) {
  // expected-note@+1 {{it is here}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]>  {
    // expected-error@+1 {{'tile.kernel' op expected to be outside of a tile.kernel}}
    tile.kernel @k2() grid <domain = <[0], [8]>, block = [8], points = [1]> {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @nested_deep(%u: !field, %v: !field) {
  // expected-note@+1 {{it is here}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]>  {
    %tr = arith.constant true
    scf.if %tr {
      // expected-error@+1 {{'tile.kernel' op expected to be outside of a tile.kernel}}
      tile.kernel @k2() grid <domain = <[0], [8]>, block = [8], points = [1]> {
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
func.func @kernel_in_apply(%u: !field) {
  %x = stencil.load %u : !field -> !any
  // expected-note@+1 {{it is here}}
  %r = stencil.apply(%t = %x : !any) -> (!any) {
    %0 = stencil.access %t[0,0] : !any
    // expected-error@+1 {{'tile.kernel' op expected to be outside of a stencil.apply}}
    tile.kernel @k() grid <domain = <[0], [8]>, block = [8], points = [1]> {
    }
    stencil.return %0 : f64
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @kernel_in_pipeline(%u: !field) {
  // expected-note@+1 {{it is here}}
  stencil.pipeline axis 0 {
    // expected-error@+1 {{'tile.kernel' op expected to be outside of a stencil.pipeline}}
    tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    }
  }
  return
}

// -----

func.func @kernel_generic() {
  // expected-error@+1 {{'tile.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "tile.kernel"() <{name = "k", grid = #tile.grid<domain = <[0], [8]>, block = [8], points = [1]>}> ({
  }) : () -> ()
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @kernel_generic_args(%u: !field) {
  // expected-error@+1 {{'tile.kernel' op expected 1 block arguments to match the operands, got 0}}
  "tile.kernel"(%u) <{name = "k", grid = #tile.grid<domain = <[0,0], [8,8]>, block = [1,8], points = [1,1]>}> ({
  ^bb0:
  }) : (!field) -> ()
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @kernel_generic_argtype(%u: !field) {
  // expected-error@+1 {{'tile.kernel' op expected block argument 0 to have the operand's type '!stencil.field<[-1,65]x[-1,65]xf64>', got 'index'}}
  "tile.kernel"(%u) <{name = "k", grid = #tile.grid<domain = <[0,0], [8,8]>, block = [1,8], points = [1,1]>}> ({
  ^bb0(%x: index):
  }) : (!field) -> ()
  return
}

// -----

func.func @kernel_two_blocks() {
  // expected-error@+1 {{'tile.kernel' op expects region #0 to have 0 or 1 blocks}}
  "tile.kernel"() <{name = "k", grid = #tile.grid<domain = <[0], [8]>, block = [8], points = [1]>}> ({
  ^a:
  ^b:
  }) : () -> ()
  return
}

// -----

func.func @kernel_no_region() {
  // expected-error@+1 {{'tile.kernel' op requires one region}}
  "tile.kernel"() <{name = "k", grid = #tile.grid<domain = <[0], [8]>, block = [8], points = [1]>}> : () -> ()
  return
}

// -----

func.func @kernel_grid_not() {
  // expected-error@+1 {{invalid properties {grid = 3 : i64, name = "k"} for op tile.kernel: Invalid attribute `grid` in property conversion: 3 : i64}}
  "tile.kernel"() <{name = "k", grid = 3 : i64}> ({
  }) : () -> ()
  return
}

// -----

func.func @kernel_no_name() {
  // expected-error@+1 {{'tile.kernel' op requires attribute 'name'}}
  "tile.kernel"() <{grid = #tile.grid<domain = <[0], [8]>, block = [8], points = [1]>}> ({
  }) : () -> ()
  return
}

// -----

func.func @kernel_arg_tensor(%u: tensor<4xf64>) {
  // expected-error@+1 {{'tile.kernel' op expected fields, numbers, indices and memory with one axis, got 'tensor<4xf64>'}}
  tile.kernel @k(%a = %u : tensor<4xf64>) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
  }
  return
}

// -----

func.func @kernel_arg_nobounds(%u: !stencil.field<?x?xf64>) {
  // expected-error@+1 {{'tile.kernel' op expected fields with bounds, got '!stencil.field<?x?xf64>'}}
  tile.kernel @k(%a = %u : !stencil.field<?x?xf64>) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
  }
  return
}

// -----

func.func @kernel_arg_rank3(%u: !stencil.field<[0,4]x[0,4]x[0,4]xf64>) {
  // expected-error@+1 {{'tile.kernel' op expected fields of at most rank 2, that of the grid, got '!stencil.field<[0,4]x[0,4]x[0,4]xf64>'}}
  tile.kernel @k(%a = %u : !stencil.field<[0,4]x[0,4]x[0,4]xf64>) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @kernel_same_field(%u: !field) {
  tile.kernel @k(%a = %u : !field, %b = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        // expected-error@+1 {{'stencil.access' op reads neighbours in a field that the kernel stores to: other blocks may have stored there, or not}}
        %0 = stencil.access %t[1, 0] : !any
        stencil.return %0 : f64
      }
      // expected-note@+1 {{it is stored to here}}
      tile.store %r to %b : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @kernel_cast_alias(%w: !stencil.field<?x?xf64>) {
  %u = stencil.cast %w : !stencil.field<?x?xf64> -> !field
  %v = stencil.cast %w : !stencil.field<?x?xf64> -> !field
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        // expected-error@+1 {{'stencil.access' op reads neighbours in a field that the kernel stores to: other blocks may have stored there, or not}}
        %0 = stencil.access %t[1, 0] : !any
        stencil.return %0 : f64
      }
      // expected-note@+1 {{it is stored to here}}
      tile.store %r to %b : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @kernel_outer_use(%u: !field, %i: index) {
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    // expected-error@+1 {{use of undeclared SSA value name}}
    %z = arith.addi %i, %i : index
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!flat = !tile.ring<1 x [-1,3]x[-1,33]xf64>
!flatread = !stencil.temp<[-1,3]x[-1,33]xf64>
!tile = !stencil.temp<[0,2]x[0,32]xf64>
func.func @store_twice(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !flat
    tile.copy %a to %w : !field, !flat
    %x = tile.source %w : !flat -> !flatread
    %r = stencil.apply(%t = %x : !flatread) -> (!tile) {
      %0 = stencil.access %t[0, 0] : !flatread
      stencil.return %0 : f64
    }
    // expected-note@+1 {{the other one is here}}
    tile.store %r to %b : !tile to !field
    // expected-error@+1 {{'tile.store' op expected one store per field, got another one}}
    tile.store %r to %b : !tile to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @store_two_fields(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op reads neighbours in a field that the kernel stores to: other blocks may have stored there, or not}}
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      %x = tile.source %w[%c] : !ring -> !read
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
      // expected-note@+1 {{it is stored to here}}
      tile.store %r to %a[%p] : !row to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @copy_stored_field(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op reads neighbours in a field that the kernel stores to: other blocks may have stored there, or not}}
      tile.copy %b[%p] to %w[%c] plane 1 : !field, !ring
      %x = tile.source %w[%c] : !ring -> !read
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
      // expected-note@+1 {{it is stored to here}}
      tile.store %r to %b[%p] : !row to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @cast_field(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'stencil.cast' op expected values and numbers, got '!stencil.field<[-1,65]x[-1,65]xf64>': a field of a kernel is read by way of a tile.source}}
      %s = stencil.cast %a : !field -> !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_flat(%u: !field, %v: !field) {
  // expected-error@+1 {{'tile.kernel' op expected no tile.walk and no tile.segment, as its grid has no walk, got 1}}
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    tile.walk plane %p {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @two_walks(%u: !field, %v: !field) {
  // expected-error@+1 {{'tile.kernel' op expected one tile.walk or tile.segment, as its grid has a walk, got 2}}
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk plane %p {
    }
    tile.walk plane %q {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @no_walk(%u: !field, %v: !field) {
  // expected-error@+1 {{'tile.kernel' op expected one tile.walk or tile.segment, as its grid has a walk, got 0}}
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @segment_flat(%u: !field, %v: !field) {
  // expected-error@+1 {{'tile.kernel' op expected no tile.walk and no tile.segment, as its grid has no walk, got 1}}
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %g, %h = tile.segment : index
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @seg_two(%u: !field, %v: !field) {
  // expected-error@+1 {{'tile.kernel' op expected one tile.walk or tile.segment, as its grid has a walk, got 2}}
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %first, %count = tile.segment : index
    %f2, %c2 = tile.segment : index
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_neg(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'block' to have numbers from 1 to 1024, got -2}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [-2, 32], points = [1, 1]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_block_big(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected at most 1024 threads in a block}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [64, 32], points = [1, 1]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_block_huge(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'block' to have numbers from 1 to 1024, got 9223372036854775807}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [9223372036854775807, 2], points = [1, 1]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_points_huge(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected at most 4096 points per thread}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [4096, 4096]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_rank(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'block' to have 2 numbers, one per axis of the domain, got 1}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [32], points = [1]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_order_dup(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'order' to name each axis once, got array<i64: 0, 0>}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], order = [0, 0]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_order_neg(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'order' to name each axis once, got array<i64: -1, 0>}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], order = [-1, 0]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_walk_2(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'walk' to be an axis from 0 to 1, got 2}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 2>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_walk_threads(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected one thread and one point along axis 0, which the kernel walks along, got 2 and 1}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1], walk = 0>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_cut(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'cut' with 'walk' only}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], cut = <planes = 16>>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_tail(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'tail' with 'walk' only}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], tail = [2, 3]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_tail_of_one(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'tail' to have 2 numbers, of tiles and of segments, got 1}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, tail = [2]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_tail_of_none(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'tail' to have numbers from 1 to}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, tail = [0, 2]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_tail_cut(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'tail' without 'cut', 'order' and 'panel'}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, cut = <planes = 16>, tail = [2, 3]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_both(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'segments' or 'cut', got both}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, segments = 2, cut = <planes = 16>>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_no_planes(%u: !field, %v: !field) {
  // expected-error@+2 {{expected 'planes' to have numbers from 1 to}}
  // expected-error@+1 {{failed to parse Tile_GridAttr parameter 'cut'}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, cut = <planes = 0>>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_tail_of_nothing(%u: !field, %v: !field) {
  // expected-error@+2 {{expected 'multiprocessors' with 'tail'}}
  // expected-error@+1 {{failed to parse Tile_GridAttr parameter 'cut'}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0, cut = <planes = 16, tail = 4>>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_segments(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'segments' with 'walk' only}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], segments = 2>  {
  }
  return
}

// -----

func.func @grid_inner_beyond() {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'inner' to be a part of the tile, [0,64] along axis 1, got [2,66]}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], inner = <[0, 2], [1, 66]>>  {
  }
  return
}

// -----

func.func @grid_inner_part() {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'inner' to have all of the 2 points of a thread, or none, along axis 1, got [3,62]}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], inner = <[0, 3], [1, 62]>>  {
  }
  return
}

// -----

func.func @grid_inner_rank() {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'inner' to be a box of numbers, of rank 2, got}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 2], inner = <[2], [62]>>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_align_huge(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'align' to have numbers from 1 to 4096, got 9223372036854775807}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], align = 9223372036854775807>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_panel(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'panel' to have numbers from 0 to 1099511627776, got -1}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], panel = [-1, 0]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_lb(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected 'launch_bounds' to have numbers from 0 to 1024, got 100000}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], launch_bounds = 100000>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_empty_domain(%u: !field, %v: !field) {
  // expected-error@+2 {{custom op 'tile.kernel' expected the upper bound of axis 0 to be greater than the lower bound 0, got 0}}
  // expected-error@+1 {{custom op 'tile.kernel' failed to parse Tile_GridAttr parameter 'domain' which is to be a `::stencil::BoundsAttr`}}
  tile.kernel @k() grid <domain = <[0, 0], [0, 64]>, block = [1, 32], points = [1, 1]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_rank4_threads(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' expected one thread along axis 0: a block has threads along the last three axes, got 2}}
  tile.kernel @k() grid <domain = <[0, 0, 0, 0], [4, 4, 4, 4]>, block = [2, 1, 1, 32], points = [1, 1, 1, 1]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_missing(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' struct is missing required parameter: points}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32]>  {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @grid_other(%u: !field, %v: !field) {
  // expected-error@+1 {{custom op 'tile.kernel' duplicate or unknown struct parameter name: foo}}
  tile.kernel @k() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], foo = 3>  {
  }
  return
}

// -----

func.func @nameless() {
  // expected-error@+1 {{'tile.kernel' op expected a name, got an empty one}}
  tile.kernel @"" () grid <domain = <[0], [64]>, block = [32], points = [1]> {
  }
  return
}
