// What the interpreter makes of kernels of tiles: the same bits as of the
// program without tiles. Tiles reach beyond domains of odd sizes.
//
// DEFINE: %{entry} =
// DEFINE: %{extents} = 13,9,21
// DEFINE: %{run} = stencil-run %s --target interpreter --threads 1 --arg 0=random:1 --arg 1=zeros --extents %{extents}
// DEFINE: %{before} = %{run} --entry %{entry} --out 1=%t.a.npy
// DEFINE: %{after} = %{run} --entry %{entry}_tiles --out 1=%t.b.npy
// DEFINE: %{same} = %{before} && %{after} && cmp %t.a.npy %t.b.npy

// REDEFINE: %{entry} = star
// RUN: %{same}
// REDEFINE: %{entry} = sums
// RUN: %{same}
// REDEFINE: %{entry} = window
// RUN: %{same}
// REDEFINE: %{entry} = loop
// RUN: %{same}
// REDEFINE: %{extents} = 6,23
// REDEFINE: %{entry} = stages
// RUN: %{same}
// REDEFINE: %{entry} = lookup
// RUN: %{same}
// REDEFINE: %{extents} = 77
// REDEFINE: %{entry} = line
// RUN: %{same}
// A domain of one plane is one segment, and another one without planes.
// REDEFINE: %{extents} = 1,1,1
// REDEFINE: %{entry} = star
// RUN: %{same}
// REDEFINE: %{entry} = loop
// RUN: %{same}

!field = !stencil.field<[-1,?+1]x[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?x?xf64>
!plane = !stencil.temp<[0,1]x[0,4]x[0,8]xf64>
!lower = !stencil.temp<[-1,0]x[0,4]x[0,8]xf64>
!wide = !stencil.temp<[0,1]x[-1,5]x[-1,9]xf64>

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

func.func @star(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %r = stencil.apply(%t = %x : !temp) -> (!temp) {
    %s = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
!async = !tile.ring<4 x [0,1]x[-1,5]x[-1,9]xf64, fill = async>
!planes = !stencil.temp<[-1,2]x[-1,5]x[-1,9]xf64>
func.func @star_tiles(%u: !field, %v: !field) {
  tile.kernel @star(%a = %u : !field, %b = %v : !field)
      grid <domain = <[0, 0, 0], [?, ?, ?]>, block = [1, 2, 8], points = [1, 2, 1], walk = 0, segments = 2> {
    %w = tile.ring : !async
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !async
      tile.barrier
      tile.copy %a[%p] to %w[%c] plane 2 needs <[-1, -1, -1], [2, 2, 2]> : !field, !async
      %x = tile.source %w[%c] : !async -> !planes
      %r = stencil.apply(%t = %x : !planes) -> (!plane) {
        %s = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf64> : !planes
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !plane to !field
    }
  }
  return
}
// The same, as a loop of two iterations at a time by hand.
func.func @loop(%u: !field, %v: !field) {
  call @star(%u, %v) : (!field, !field) -> ()
  return
}
func.func @loop_tiles(%u: !field, %v: !field) {
  tile.kernel @star(%a = %u : !field, %b = %v : !field)
      grid <domain = <[0, 0, 0], [?, ?, ?]>, block = [1, 2, 8], points = [1, 2, 1], walk = 0, segments = 2> {
    %w = tile.ring : !async
    %first, %count = tile.segment lookback 1 : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %start = tile.cursor %zero : !tile.cursor<4>
    tile.copy %a[%first] to %w[%start] plane 0 : !field, !async
    tile.copy %a[%first] to %w[%start] plane 1 : !field, !async
    scf.for %i = %zero to %count step %two {
      %p = arith.addi %first, %i : index
      %c = tile.cursor %i : !tile.cursor<4>
      tile.wait %w[%c] plane 1 : !async
      tile.barrier
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !async
      %x = tile.source %w[%c] : !async -> !planes
      tile.where {
        %r = stencil.apply(%t = %x : !planes) -> (!plane) {
          %s = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf64> : !planes
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !plane to !field
      }
      %q = arith.addi %p, %one : index
      %d = tile.advance %c : !tile.cursor<4>
      tile.wait %w[%d] plane 1 : !async
      tile.barrier
      tile.copy %a[%q] to %w[%d] plane 2 : !field, !async
      %y = tile.source %w[%d] : !async -> !planes
      tile.where {
        %r = stencil.apply(%t = %y : !planes) -> (!plane) {
          %s = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, -1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]] weights dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf64> : !planes
          stencil.return %s : f64
        }
        tile.store %r to %b[%q] : !plane to !field
      }
    }
  }
  return
}

// A sum over three planes, one of which has come at each step: partial sums go
// from iteration to iteration. The first ones are poison.
func.func @sums(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %r = stencil.apply(%t = %x : !temp) -> (!temp) {
    %l = stencil.weighted_sum %t offsets [[-1, -1, 0], [-1, 1, 0]] weights dense<[0.1, 0.2]> : tensor<2xf64> : !temp
    %m = stencil.weighted_sum %t offsets [[0, 0, -1], [0, 0, 1]] weights dense<[0.3, 0.4]> : tensor<2xf64> : !temp
    %h = stencil.weighted_sum %t offsets [[1, 0, 0], [1, -1, -1]] weights dense<[0.5, 0.6]> : tensor<2xf64> : !temp
    %a = arith.addf %l, %m : f64
    %b = arith.addf %a, %h : f64
    stencil.return %b : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
!delayed = !tile.ring<2 x [0,1]x[-1,5]x[-1,9]xf64, fill = delayed>
!next = !stencil.temp<[1,2]x[0,4]x[0,8]xf64>
!next_wide = !stencil.temp<[1,2]x[-1,5]x[-1,9]xf64>
func.func @sums_tiles(%u: !field, %v: !field) {
  tile.kernel @sums(%a = %u : !field, %b = %v : !field)
      grid <domain = <[0, 0, 0], [?, ?, ?]>, block = [1, 4, 8], points = [1, 1, 1], walk = 0, segments = 3> {
    %w = tile.ring : !delayed
    %none = ub.poison : !plane
    %none1 = ub.poison : !next
    tile.walk lookback 2 plane %p cursors(%c : !tile.cursor<2>) carry(%q = %none : !plane, %q1 = %none1 : !next) {
      tile.wait %w[%c] plane 1 : !delayed
      tile.barrier
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !delayed
      %x = tile.source %w[%c] : !delayed -> !next_wide
      // Of planes p, p + 1 and p + 2.
      %s:3 = stencil.apply(%t = %x : !next_wide, %old = %q1 : !next) -> (!next, !next, !next) {
        %l = stencil.weighted_sum %t offsets [[0, -1, 0], [0, 1, 0]] weights dense<[0.1, 0.2]> : tensor<2xf64> : !next_wide
        %m = stencil.weighted_sum %t offsets [[0, 0, -1], [0, 0, 1]] weights dense<[0.3, 0.4]> : tensor<2xf64> : !next_wide
        %h = stencil.weighted_sum %t offsets [[0, 0, 0], [0, -1, -1]] weights dense<[0.5, 0.6]> : tensor<2xf64> : !next_wide
        %o = stencil.access %old[0, 0, 0] : !next
        %n = arith.addf %o, %m : f64
        stencil.return %h, %n, %l : f64, f64, f64
      }
      %r = stencil.apply(%old = %q : !plane, %new = %s#0 : !next) -> (!plane) {
        %o = stencil.access %old[0, 0, 0] : !plane
        %h = stencil.access %new[1, 0, 0] : !next
        %n = arith.addf %o, %h : f64
        stencil.return %n : f64
      }
      tile.store %r to %b[%p] : !plane to !field
      %shifted = tile.shift %s#1 : !next -> !plane
      tile.yield %shifted, %s#2 : !plane, !next
    }
  }
  return
}

// A window of three planes in registers, and neighbours in a ring.
func.func @window(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %r = stencil.apply(%t = %x : !temp) -> (!temp) {
    %s = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
    %n = stencil.weighted_sum %t offsets [[0, -1, 1], [0, 1, -1]] weights dense<[0.4, 0.5]> : tensor<2xf64> : !temp
    %q = arith.mulf %s, %n : f64
    stencil.return %q : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [?, ?, ?]>) : !temp to !field
  return
}
!threads = !tile.ring<1 x [0,1]x[-1,5]x[-1,9]xf64>
!joined = !stencil.temp<[-1,2]x[0,4]x[0,8]xf64>
!any = !stencil.temp<?x?x?xf64>
func.func @window_tiles(%u: !field, %v: !field) {
  tile.kernel @window(%a = %u : !field, %b = %v : !field)
      grid <domain = <[0, 0, 0], [?, ?, ?]>, block = [1, 4, 8], points = [1, 1, 1], walk = 0> {
    %w = tile.ring : !threads
    %none = ub.poison : !lower
    %none1 = ub.poison : !plane
    tile.walk lookback 2 plane %p cursors(%c : !tile.cursor<1>) carry(%q0 = %none : !lower, %q1 = %none1 : !plane) {
      tile.barrier
      tile.copy %a[%p] to %w[%c] : !field, !threads
      tile.barrier
      %f = tile.source %a[%p] : !field -> !any
      %n = tile.where needs <[-1, 0, 0], [2, 1, 1]> -> (!next) {
        %n = stencil.apply(%t = %f : !any) -> (!next) {
          %v0 = stencil.access %t[0, 0, 0] : !any
          stencil.return %v0 : f64
        }
        tile.yield %n : !next
      }
      %x = tile.source %w[%c] : !threads -> !wide
      %k = tile.join %q0, %q1, %n : !lower, !plane, !next -> !joined
      %r = stencil.apply(%t = %k : !joined, %y = %x : !wide) -> (!plane) {
        %s = stencil.weighted_sum %t offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !joined
        %m = stencil.weighted_sum %y offsets [[0, -1, 1], [0, 1, -1]] weights dense<[0.4, 0.5]> : tensor<2xf64> : !wide
        %q = arith.mulf %s, %m : f64
        stencil.return %q : f64
      }
      tile.store %r to %b[%p] : !plane to !field
      %s0 = tile.shift %q1 : !plane -> !lower
      %s1 = tile.shift %n : !next -> !plane
      tile.yield %s0, %s1 : !lower, !plane
    }
  }
  return
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

// Two stages, of which one can fail outside of the domain, and coordinates.
!numbers = !stencil.field<[-2,?+2]x[-2,?+2]xi32>
!number = !stencil.temp<?x?xi32>
func.func @stages(%u: !numbers, %v: !numbers) {
  %x = stencil.load %u : !numbers -> !number
  %m = stencil.apply(%t = %x : !number) -> (!number) {
    %a = stencil.access %t[-2, 1] : !number
    %b = stencil.access %t[1, -2] : !number
    %c = arith.divsi %a, %b : i32
    stencil.return %c : i32
  }
  %r = stencil.apply(%t = %m : !number) -> (!number) {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 3]>
    %k = arith.muli %i, %j : index
    %n = arith.index_cast %k : index to i32
    %a = stencil.access %t[0, 0] : !number
    %b = arith.xori %a, %n : i32
    stencil.return %b : i32
  }
  stencil.store %r to %v(<[0, 0], [?, ?]>) : !number to !numbers
  return
}
!shared = !tile.ring<1 x [-2,6]x[-2,10]xi32, fill = tma>
!box = !stencil.temp<[-2,6]x[-2,10]xi32>
!tile = !stencil.temp<[0,4]x[0,8]xi32>
func.func @stages_tiles(%u: !numbers, %v: !numbers) {
  tile.kernel @stages(%a = %u : !numbers, %b = %v : !numbers)
      grid <domain = <[0, 0], [?, ?]>, block = [4, 4], points = [1, 2], align = 8, order = [1, 0]> {
    %w = tile.ring : !shared
    tile.copy %a to %w needs <[-2, -2], [2, 2]> : !numbers, !shared
    tile.wait %w : !shared
    %x = tile.source %w : !shared -> !box
    %m = tile.where -> (!tile) {
      %m = stencil.apply(%t = %x : !box) -> (!tile) {
        %p = stencil.access %t[-2, 1] : !box
        %q = stencil.access %t[1, -2] : !box
        %c = arith.divsi %p, %q : i32
        stencil.return %c : i32
      }
      tile.yield %m : !tile
    }
    %r = stencil.apply(%t = %m : !tile) -> (!tile) {
      %i = stencil.index 0 <[0, 0]>
      %j = stencil.index 1 <[0, 3]>
      %k = arith.muli %i, %j : index
      %n = arith.index_cast %k : index to i32
      %p = stencil.access %t[0, 0] : !tile
      %q = arith.xori %p, %n : i32
      stencil.return %q : i32
    }
    tile.store %r to %b : !tile to !numbers
  }
  return
}

// Computed coordinates, of a field and a ring.
func.func @lookup(%u: !numbers, %v: !numbers) {
  %x = stencil.load %u : !numbers -> !number
  %r = stencil.apply(%t = %x : !number) -> (!number) {
    %two = arith.constant 2 : index
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %o = arith.remui %j, %two : index
    %k = arith.addi %i, %o : index
    %a = stencil.dyn_access %t[%k, %j] in <[0, 0]> : <[1, 0]> : !number
    %b = stencil.access %t[0, 2] : !number
    %s = arith.subi %a, %b : i32
    stencil.return %s : i32
  }
  stencil.store %r to %v(<[0, 0], [?, ?]>) : !number to !numbers
  return
}
!loaded = !tile.ring<1 x [0,5]x[-1,9]xi32>
!loaded_box = !stencil.temp<[0,5]x[-1,9]xi32>
!any_number = !stencil.temp<?x?xi32>
func.func @lookup_tiles(%u: !numbers, %v: !numbers) {
  tile.kernel @lookup(%a = %u : !numbers, %b = %v : !numbers)
      grid <domain = <[0, 0], [?, ?]>, block = [2, 8], points = [2, 1]> {
    %w = tile.ring : !loaded
    tile.copy %a to %w : !numbers, !loaded
    tile.barrier
    %x = tile.source %w : !loaded -> !loaded_box
    %f = tile.source %a : !numbers -> !any_number
    tile.where {
      %r = stencil.apply(%t = %x : !loaded_box, %y = %f : !any_number) -> (!tile) {
        %two = arith.constant 2 : index
        %i = stencil.index 0 <[0, 0]>
        %j = stencil.index 1 <[0, 0]>
        %o = arith.remui %j, %two : index
        %k = arith.addi %i, %o : index
        %p = stencil.dyn_access %t[%k, %j] in <[0, 0]> : <[1, 0]> : !loaded_box
        %q = stencil.access %y[0, 2] : !any_number
        %s = arith.subi %p, %q : i32
        stencil.return %s : i32
      }
      tile.store %r to %b : !tile to !numbers
    }
  }
  return
}

!row = !stencil.field<[-3,?+2]xf32>
!row_temp = !stencil.temp<?xf32>
func.func @line(%u: !row, %v: !row) {
  %x = stencil.load %u : !row -> !row_temp
  %r = stencil.apply(%t = %x : !row_temp) -> (!row_temp) {
    %s = stencil.weighted_sum %t offsets [[-2], [0], [1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf32> : !row_temp
    stencil.return %s : f32
  }
  stencil.store %r to %v(<[-1], [?+1]>) : !row_temp to !row
  return
}
!row_ring = !tile.ring<1 x [-2,17]xf32>
!row_box = !stencil.temp<[-2,17]xf32>
!row_tile = !stencil.temp<[0,16]xf32>
func.func @line_tiles(%u: !row, %v: !row) {
  tile.kernel @line(%a = %u : !row, %b = %v : !row)
      grid <domain = <[-1], [?+1]>, block = [8], points = [2], align = 4> {
    %w = tile.ring : !row_ring
    tile.copy %a to %w : !row, !row_ring
    tile.barrier
    %x = tile.source %w : !row_ring -> !row_box
    %r = stencil.apply(%t = %x : !row_box) -> (!row_tile) {
      %s = stencil.weighted_sum %t offsets [[-2], [0], [1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf32> : !row_box
      stencil.return %s : f32
    }
    tile.store %r to %b : !row_tile to !row
  }
  return
}
