// Grids with a layout, written by hand: what threads make of them, as GPU code on the processor, is what the interpreter says of their
// tiles. Domains that tiles reach beyond.
// DEFINE: %{chip} = sm_90
// DEFINE: %{entry} =
// DEFINE: %{run} = stencil-run %s --entry %{entry} --target emulator --chip %{chip} --math reassociate --verify --arg 0=wild:3:finite --arg 1=zeros
// REDEFINE: %{entry} = gaps
// RUN: %{run}
// REDEFINE: %{entry} = rim
// RUN: %{run}
// REDEFINE: %{entry} = rim_of_blocks
// RUN: %{run}
// REDEFINE: %{entry} = carried
// RUN: %{run}
// REDEFINE: %{entry} = pairs
// RUN: %{run}
// REDEFINE: %{entry} = segments
// RUN: %{run}
// REDEFINE: %{entry} = copied
// RUN: %{run}
// REDEFINE: %{entry} = copied_exactly
// RUN: %{run}
// REDEFINE: %{entry} = copied_rows
// RUN: %{run}
// REDEFINE: %{chip} = gfx942
// REDEFINE: %{entry} = gaps
// RUN: %{run}

!field = !stencil.field<[-2,15]x[-2,41]xf64>
!any = !stencil.temp<?x?xf64>

// A thread's points are four rows apart: no loop over a box has them.
!square = !stencil.temp<[0,8]x[0,8]xf64>
func.func @gaps(%u: !field, %v: !field) {
  tile.kernel @gaps(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 39]>, block = [4, 8], points = [2, 1], layout = <rank = 2, registers = [0: 2 by 4], threads = [1: 8 by 1, 0: 4 by 1]>> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!square) {
        %0 = stencil.access %t[-1, 1] : !any
        %1 = stencil.access %t[0, -2] : !any
        %2 = arith.subf %0, %1 : f64
        stencil.return %2 : f64
      }
      tile.store %r to %b : !square to !field
    }
  }
  return
}

// What a stage makes beside the tile, too, is read by products of matrices. A thread's own points are those of the layout; the rim is dealt out.
#own = #tile.core_and_rim<core = <rank = 2, registers = [1: 2 by 1, 1: 2 by 32], threads = [1: 2 by 2, 0: 2 by 1, 1: 8 by 4]>, box = <[-1, -1], [3, 65]>, vector = 2>
!made = !tile.ring<1 x [-1,3]x[-4,68]xf64, fill = stage>
!around = !stencil.temp<[-1,3]x[-1,65]xf64>
!read = !stencil.temp<[-1,3]x[-4,68]xf64>
!tile = !stencil.temp<[0,2]x[0,64]xf64>
func.func @rim(%u: !field, %v: !field) {
  tile.kernel @rim(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 39]>, block = [1, 32], points = [2, 2], layout = <rank = 2, registers = [1: 2 by 1, 1: 2 by 32], threads = [1: 2 by 2, 0: 2 by 1, 1: 8 by 4]>> {
    %w = tile.ring : !made
    %x = tile.source %a : !field -> !any
    %m = tile.where needs <[-1, -1], [2, 2]> -> (!around) {
      %0 = stencil.apply(%t = %x : !any) -> (!around) attributes {tile.layout = #own} {
        %1 = stencil.access %t[0, 1] : !any
        %2 = stencil.access %t[0, 0] : !any
        %3 = arith.addf %1, %2 : f64
        stencil.return %3 : f64
      }
      tile.yield %0 : !around
    }
    tile.put %m to %w : !around, !made
    tile.barrier
    %y = tile.source %w : !made -> !read
    %s = stencil.apply(%t = %y : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = 1>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !read
      stencil.return %0 : f64
    }
    tile.where {
      tile.store %s to %b : !tile to !field
    }
  }
  return
}

// The same of two warps, one above the other.
#both = #tile.core_and_rim<core = <rank = 2, registers = [1: 2 by 1, 1: 2 by 32], threads = [1: 2 by 2, 0: 2 by 1, 1: 8 by 4, 0: 2 by 2]>, box = <[-1, -1], [5, 65]>>
!made2 = !tile.ring<1 x [-1,5]x[-4,68]xf64, fill = stage>
!around2 = !stencil.temp<[-1,5]x[-1,65]xf64>
!read2 = !stencil.temp<[-1,5]x[-4,68]xf64>
!tile2 = !stencil.temp<[0,4]x[0,64]xf64>
func.func @rim_of_blocks(%u: !field, %v: !field) {
  tile.kernel @rim_of_blocks(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 39]>, block = [2, 32], points = [2, 2], layout = <rank = 2, registers = [1: 2 by 1, 1: 2 by 32], threads = [1: 2 by 2, 0: 2 by 1, 1: 8 by 4, 0: 2 by 2]>> {
    %w = tile.ring : !made2
    %x = tile.source %a : !field -> !any
    %m = tile.where needs <[-1, -1], [2, 2]> -> (!around2) {
      %0 = stencil.apply(%t = %x : !any) -> (!around2) attributes {tile.layout = #both} {
        %1 = stencil.access %t[0, 1] : !any
        %2 = stencil.access %t[0, 0] : !any
        %3 = arith.addf %1, %2 : f64
        stencil.return %3 : f64
      }
      tile.yield %0 : !around2
    }
    tile.put %m to %w : !around2, !made2
    tile.barrier
    %y = tile.source %w : !made2 -> !read2
    %s = stencil.apply(%t = %y : !read2) -> (!tile2) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [2, 4], along = 1>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !read2
      stencil.return %0 : f64
    }
    tile.where {
      tile.store %s to %b : !tile2 to !field
    }
  }
  return
}

// Of a walk: values that are carried are those of the layout's points.
!ring = !tile.ring<2 x [0,1]x[-4,132]xf64>
!plane = !stencil.temp<[0,1]x[-4,132]xf64>
!row = !stencil.temp<[0,1]x[0,128]xf64>
!before = !stencil.temp<[-1,0]x[0,128]xf64>
!two = !stencil.temp<[-1,1]x[0,128]xf64>
func.func @carried(%u: !field, %v: !field) {
  tile.kernel @carried(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [13, 39]>, block = [1, 32], points = [1, 4], walk = 0, layout = <rank = 2, registers = [1: 2 by 1, 1: 2 by 64], threads = [1: 4 by 2, 1: 8 by 8]>> {
    %w = tile.ring : !ring
    %none = ub.poison : !before
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<2>) carry(%old = %none : !before) {
      tile.copy %a[%p] to %w[%c] needs <[-1, -1], [1, 2]> : !field, !ring
      %x = tile.source %w[%c] : !ring -> !plane
      %s = stencil.apply(%t = %x : !plane) -> (!row) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [1, 8], along = 1>} {
        %0 = stencil.weighted_sum %t offsets [[0, -1], [0, 0], [0, 1]] weights dense<[0.5, 0.25, 2.0]> : tensor<3xf64> : !plane
        stencil.return %0 : f64
      }
      %both = tile.join %old, %s : !before, !row -> !two
      tile.where {
        %r = stencil.apply(%t = %both : !two) -> (!row) {
          %0 = stencil.access %t[-1, 0] : !two
          %1 = stencil.access %t[0, 0] : !two
          %2 = arith.subf %1, %0 : f64
          stencil.return %2 : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
      %next = tile.shift %s : !row -> !before
      tile.yield %next : !before
    }
  }
  return
}

// Of 16-bit elements two are read at once: at the end of a row with an odd number of them, one that is behind it.
!odd = !tile.ring<1 x [0,2]x[-2,67]xf16, pitch = 70>
!rows = !stencil.temp<[0,2]x[-2,67]xf16>
!patches = !stencil.temp<[0,2]x[0,64]xf16>
!half = !stencil.field<[-2,15]x[-2,70]xf16>
func.func @pairs(%u: !half, %v: !half) {
  tile.kernel @pairs(%a = %u : !half, %b = %v : !half) grid <domain = <[0, 0], [13, 67]>, block = [1, 32], points = [2, 2], layout = <rank = 2, registers = [1: 2 by 1, 1: 2 by 32], threads = [1: 2 by 2, 0: 2 by 1, 1: 8 by 4]>> {
    %w = tile.ring : !odd
    tile.copy %a to %w needs <[0, -1], [2, 67]> : !half, !odd
    tile.barrier
    %x = tile.source %w : !odd -> !rows
    %s = stencil.apply(%t = %x : !rows) -> (!patches) attributes {tile.engine = #tile.mma<shape = [16, 8, 16], patch = [2, 4], along = 1>} {
      %0 = stencil.weighted_sum %t offsets [[0, -1], [0, 0], [0, 1], [0, 2], [0, 3]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf16> : !rows
      stencil.return %0 : f16
    }
    tile.where {
      tile.store %s to %b : !patches to !half
    }
  }
  return
}

// A row in segments, as long as the row of A of two patches is: 16 points, of which each is 20 elements behind the one before it.
!line = !stencil.field<[-3,261]xf64>
!segments = !tile.ring<1 x [-4,260]xf64, segment = 16, gap = 4>
!points = !stencil.temp<[-4,260]xf64>
!row256 = !stencil.temp<[0,256]xf64>
func.func @segments(%u: !line, %v: !line) {
  tile.kernel @segments(%a = %u : !line, %b = %v : !line) grid <domain = <[0], [251]>, block = [32], points = [8], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 128, 0: 2 by 8], threads = [0: 4 by 2, 0: 8 by 16]>> {
    %w = tile.ring : !segments
    tile.copy %a to %w needs <[-3], [259]> : !line, !segments
    tile.barrier
    %x = tile.source %w : !segments -> !points
    %s = stencil.apply(%t = %x : !points) -> (!row256) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 2, gap = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-3], [-1], [0], [2], [3]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !points
      stencil.return %0 : f64
    }
    tile.where {
      tile.store %s to %b : !row256 to !line
    }
  }
  return
}

// The same, by the copy engine, which fills the gaps: of four tiles the two in the middle; the others have segments beyond the ends of the row.
!long_line = !stencil.field<[-3,904]xf64>
!copied = !tile.ring<1 x [-16,272]xf64, segment = 16, gap = 4, fill = tma>
!copied_points = !stencil.temp<[-16,272]xf64>
func.func @copied(%u: !long_line, %v: !long_line) {
  tile.kernel @copied(%a = %u : !long_line, %b = %v : !long_line) grid <domain = <[0], [901]>, block = [32], points = [8], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 128, 0: 2 by 8], threads = [0: 4 by 2, 0: 8 by 16]>> {
    %w = tile.ring : !copied
    tile.copy %a to %w needs <[-3], [259]> : !long_line, !copied
    tile.wait %w : !copied
    %x = tile.source %w : !copied -> !copied_points
    %s = stencil.apply(%t = %x : !copied_points) -> (!row256) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 2, gap = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-3], [-1], [0], [2], [3]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !copied_points
      stencil.return %0 : f64
    }
    tile.where {
      tile.store %s to %b : !row256 to !long_line
    }
  }
  return
}

// The segments of the first tile begin with the row, those of the last one end with it: the gap behind is beyond it, and all gaps are zeros.
!whole_line = !stencil.field<[-16,528]xf64>
func.func @copied_exactly(%u: !whole_line, %v: !whole_line) {
  tile.kernel @copied_exactly(%a = %u : !whole_line, %b = %v : !whole_line) grid <domain = <[0], [512]>, block = [32], points = [8], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 128, 0: 2 by 8], threads = [0: 4 by 2, 0: 8 by 16]>> {
    %w = tile.ring : !copied
    tile.copy %a to %w needs <[-16], [272]> : !whole_line, !copied
    tile.wait %w : !copied
    %x = tile.source %w : !copied -> !copied_points
    %s = stencil.apply(%t = %x : !copied_points) -> (!row256) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8], along = 0, stack = 2, gap = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-16], [-1], [0], [2], [16]] weights dense<[0.5, 0.25, 0.125, 1.0, 2.0]> : tensor<5xf64> : !copied_points
      stencil.return %0 : f64
    }
    tile.where {
      tile.store %s to %b : !row256 to !whole_line
    }
  }
  return
}

// Several such rows at once. Those beyond the field are zeros.
!square_field = !stencil.field<[-1,6]x[-8,1000]xf64>
!copied_square = !tile.ring<1 x [-1,3]x[-16,272]xf64, segment = 16, gap = 4, fill = tma>
!square_points = !stencil.temp<[-1,3]x[-16,272]xf64>
!two_rows = !stencil.temp<[0,2]x[0,256]xf64>
func.func @copied_rows(%u: !square_field, %v: !square_field) {
  tile.kernel @copied_rows(%a = %u : !square_field, %b = %v : !square_field) grid <domain = <[0, 0], [5, 901]>, block = [1, 32], points = [2, 8], align = 8, layout = <rank = 2, registers = [1: 2 by 1, 1: 2 by 128, 1: 2 by 8, 0: 2 by 1], threads = [1: 4 by 2, 1: 8 by 16]>> {
    %w = tile.ring : !copied_square
    tile.copy %a to %w needs <[-1, -2], [2, 3]> : !square_field, !copied_square
    tile.wait %w : !copied_square
    %x = tile.source %w : !copied_square -> !square_points
    %s = stencil.apply(%t = %x : !square_points) -> (!two_rows) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [1, 8], along = 1, stack = 2, gap = 4>} {
      %0 = stencil.weighted_sum %t offsets [[-1, 0], [0, -2], [0, 0], [0, 2], [1, 0]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64> : !square_points
      stencil.return %0 : f64
    }
    tile.where {
      tile.store %s to %b : !two_rows to !square_field
    }
  }
  return
}
