// The fewest barriers for what a ring's fill, slots and readers need.
//
// RUN: stencil-opt %s --stencil-place-barriers --remarks-filter=Barriers -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
//
// A second time there is nothing to do; without any one of them, it is put back.
// RUN: stencil-opt %t.mlir --stencil-place-barriers | diff %t.mlir -
// RUN: %python %S/Inputs/remove_barriers.py stencil-opt %t.mlir | FileCheck %s --check-prefix=REMOVED
// REMOVED: 23 barriers, each of them needed

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!threads3 = !tile.ring<3 x [0,1]x[0,32]xf64>
!threads4 = !tile.ring<4 x [0,1]x[0,32]xf64>
!async4 = !tile.ring<4 x [0,1]x[0,32]xf64, fill = async>
!async5 = !tile.ring<5 x [0,1]x[0,32]xf64, fill = async>
!async8 = !tile.ring<8 x [0,1]x[0,32]xf64, fill = async>
!delayed3 = !tile.ring<3 x [0,1]x[0,32]xf64, fill = delayed>
!delayed4 = !tile.ring<4 x [0,1]x[0,32]xf64, fill = delayed>
!tma4 = !tile.ring<4 x [0,1]x[0,32]xf64, fill = tma>
!two = !stencil.temp<[-1,1]x[0,32]xf64>
!three = !stencil.temp<[-1,2]x[0,32]xf64>

func.func @walks(%u: !field, %v: !field) {
  // One barrier is for what has come, and for what goes.
  // CHECK-LABEL: @async
  tile.kernel @async(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async4
    // CHECK: tile.wait
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NOT: tile.barrier
    // REMARK: remark: [Passed] Barrier | Category:Barriers | Remark="a stage reads plane p + 1 of ring 0, which threads have written; plane p + 2 of ring 0 takes the place of plane p + -2, which a stage has read"
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !async4
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !async4
      %x = tile.source %w[%c] : !async4 -> !three
      tile.where {
        %r = stencil.apply(%t = %x : !three) -> (!row) {
          %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }

  // A wait for a plane before that of the iteration is for an older one.
  // CHECK-LABEL: @two_waits
  tile.kernel @two_waits(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async8
    // CHECK: tile.wait
    // CHECK-NEXT: tile.copy
    // CHECK-NEXT: tile.wait
    // CHECK-NEXT: tile.source
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.where
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<8>) {
      tile.wait %w[%c] plane -1 : !async8
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !async8
      tile.wait %w[%c] plane 1 : !async8
      %x = tile.source %w[%c] : !async8 -> !three
      tile.where {
        %r = stencil.apply(%t = %x : !three) -> (!row) {
          %s = stencil.access %t[1, 0] : !three
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }

  // What counts is what the stage reads, not the box of its source: plane p - 1
  // may be replaced at any time.
  // CHECK-LABEL: @wide_source
  tile.kernel @wide_source(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads3
    // CHECK: tile.walk
    // CHECK-NEXT: tile.copy
    // CHECK-NEXT: tile.source
    // CHECK-NEXT: tile.barrier
    // CHECK-NOT: tile.barrier
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<3>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !threads3
      %x = tile.source %w[%c] : !threads3 -> !three
      %r = stencil.apply(%t = %x : !three) -> (!row) {
        %s = stencil.access %t[1, 0] : !three
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // A plane that the copy engine has brought needs none, its successor does.
  // CHECK-LABEL: @tma
  tile.kernel @tma(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !tma4
    // CHECK: tile.wait
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NOT: tile.barrier
    // REMARK: Remark="plane p + 2 of ring 0 takes the place of plane p + -2, which a stage has read"
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      tile.wait %w[%c] plane 1 : !tma4
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !tma4
      %x = tile.source %w[%c] : !tma4 -> !three
      %r = stencil.apply(%t = %x : !three) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // Written and read at once: the barrier is between. No slot to spare: one
  // more, around the back edge.
  // CHECK-LABEL: @threads_tight
  tile.kernel @threads_tight(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads3
    // CHECK: tile.walk
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NEXT: tile.source
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: stencil.apply
    // REMARK: Remark="plane p + 1 of ring 0 takes the place of plane p + -2, which a stage has read"
    // REMARK: Remark="a stage reads plane p + 1 of ring 0, which threads have written"
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<3>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !threads3
      %x = tile.source %w[%c] : !threads3 -> !three
      %r = stencil.apply(%t = %x : !three) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // With a slot to spare, one is enough.
  // CHECK-LABEL: @threads_spare
  tile.kernel @threads_spare(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads4
    // CHECK: tile.walk
    // CHECK-NEXT: tile.copy
    // CHECK-NEXT: tile.source
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: stencil.apply
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !threads4
      %x = tile.source %w[%c] : !threads4 -> !three
      %r = stencil.apply(%t = %x : !three) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // Read an iteration later only: both happen across the back edge.
  // CHECK-LABEL: @threads_ahead
  tile.kernel @threads_ahead(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads3
    // CHECK: tile.walk
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NOT: tile.barrier
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<3>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !threads3
      %x = tile.source %w[%c] : !threads3 -> !two
      %r = stencil.apply(%t = %x : !two) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [0, 0]] weights dense<0.5> : tensor<2xf64> : !two
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // A delayed plane takes its place at the wait. The copy is behind the barrier.
  // CHECK-LABEL: @delayed_tight
  tile.kernel @delayed_tight(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !delayed3
    // CHECK: tile.walk
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.wait
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NOT: tile.barrier
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<3>) {
      tile.wait %w[%c] plane 1 : !delayed3
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !delayed3
      %x = tile.source %w[%c] : !delayed3 -> !three
      %r = stencil.apply(%t = %x : !three) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // Two rings of different fills share a barrier.
  // CHECK-LABEL: @two_rings
  tile.kernel @two_rings(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !delayed4
    %y = tile.ring : !async5
    // CHECK: tile.wait
    // CHECK-NEXT: tile.wait
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NOT: tile.barrier
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<4>, %d: !tile.cursor<5>) {
      tile.wait %w[%c] plane 1 : !delayed4
      tile.wait %y[%d] plane 1 : !async5
      tile.copy %a[%p] to %w[%c] plane 2 : !field, !delayed4
      tile.copy %a[%p] to %y[%d] plane 3 : !field, !async5
      %x = tile.source %w[%c] : !delayed4 -> !three
      %z = tile.source %y[%d] : !async5 -> !three
      %r = stencil.apply(%t = %x : !three, %q = %z : !three) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
        %m = stencil.weighted_sum %q offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
        %n = arith.addf %s, %m : f64
        stencil.return %n : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }

  // One that is there counts, wherever it is between the two.
  // CHECK-LABEL: @by_hand
  tile.kernel @by_hand(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads3
    // CHECK: tile.walk
    // CHECK-NEXT: tile.copy
    // CHECK-NEXT: tile.source
    // CHECK-NEXT: stencil.apply
    // CHECK: tile.store
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: }
    tile.walk lookback 1 plane %p cursors(%c: !tile.cursor<3>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !threads3
      %x = tile.source %w[%c] : !threads3 -> !two
      %r = stencil.apply(%t = %x : !two) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-1, 0], [0, 0]] weights dense<0.5> : tensor<2xf64> : !two
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
      tile.barrier
    }
  }
  return
}

!grid = !stencil.field<[0,64]x[0,64]xf64>
!tile = !stencil.temp<[0,1]x[0,32]xf64>
!once = !tile.ring<1 x [0,1]x[0,32]xf64>
!requested = !tile.ring<1 x [0,1]x[0,32]xf64, fill = tma>

func.func @tiles(%u: !grid, %v: !grid) {
  // Without a walk. The second ring lies where the first one was.
  // CHECK-LABEL: @overlay
  tile.kernel @overlay(%a = %u : !grid, %b = %v : !grid) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1]> {
    %w = tile.ring overlay 0 : !once
    %y = tile.ring overlay 1 : !requested
    // CHECK: tile.copy
    // CHECK-NEXT: tile.source
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: stencil.apply
    // CHECK: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NEXT: tile.wait
    // CHECK-NOT: tile.barrier
    // REMARK: Remark="a stage reads ring 0, which threads have written"
    // REMARK: Remark="ring 1 takes the place of ring 0"
    tile.copy %a to %w : !grid, !once
    %x = tile.source %w : !once -> !tile
    %q = stencil.apply(%t = %x : !tile) -> (!tile) {
      %s = stencil.access %t[0, 0] : !tile
      stencil.return %s : f64
    }
    tile.copy %a to %y : !grid, !requested
    tile.wait %y : !requested
    %z = tile.source %y : !requested -> !tile
    %r = stencil.apply(%t = %z : !tile, %o = %q : !tile) -> (!tile) {
      %s = stencil.access %t[0, 0] : !tile
      %n = stencil.access %o[0, 0] : !tile
      %m = arith.addf %s, %n : f64
      stencil.return %m : f64
    }
    tile.store %r to %b : !tile to !grid
  }

  // In a walk the first ring takes the place of the second one, too.
  // CHECK-LABEL: @overlay_in_walk
  tile.kernel @overlay_in_walk(%a = %u : !grid, %b = %v : !grid) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring overlay 0 : !requested
    %y = tile.ring overlay 1 : !requested
    // CHECK: tile.walk
    // CHECK-NEXT: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK: stencil.apply
    // CHECK: tile.barrier
    // CHECK-NEXT: tile.copy
    // CHECK-NOT: tile.barrier
    // REMARK: Remark="ring 0 takes the place of ring 1"
    // REMARK: Remark="ring 1 takes the place of ring 0"
    tile.walk plane %p cursors(%c : !tile.cursor<1>) {
      tile.copy %a[%p] to %w[%c] : !grid, !requested
      tile.wait %w[%c] : !requested
      %x = tile.source %w[%c] : !requested -> !tile
      %q = stencil.apply(%t = %x : !tile) -> (!tile) {
        %s = stencil.access %t[0, 0] : !tile
        stencil.return %s : f64
      }
      tile.copy %a[%p] to %y[%c] : !grid, !requested
      tile.wait %y[%c] : !requested
      %z = tile.source %y[%c] : !requested -> !tile
      %r = stencil.apply(%t = %z : !tile, %o = %q : !tile) -> (!tile) {
        %s = stencil.access %t[0, 0] : !tile
        %n = stencil.access %o[0, 0] : !tile
        %m = arith.addf %s, %n : f64
        stencil.return %m : f64
      }
      tile.store %r to %b[%p] : !tile to !grid
    }
  }

  // The same ring again.
  // CHECK-LABEL: @again
  tile.kernel @again(%a = %u : !grid, %b = %v : !grid) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1]> {
    %w = tile.ring : !once
    // CHECK-COUNT-3: tile.barrier
    // CHECK-NOT: tile.barrier
    // REMARK: Remark="a stage reads ring 0, which threads have written"
    // REMARK: Remark="ring 0 is filled again, which a stage has read"
    // REMARK: Remark="a stage reads ring 0, which threads have written"
    tile.copy %a to %w : !grid, !once
    %x = tile.source %w : !once -> !tile
    %q = stencil.apply(%t = %x : !tile) -> (!tile) {
      %s = stencil.access %t[0, 0] : !tile
      stencil.return %s : f64
    }
    tile.copy %a to %w : !grid, !once
    %r = stencil.apply(%t = %x : !tile, %o = %q : !tile) -> (!tile) {
      %s = stencil.access %t[0, 0] : !tile
      %n = stencil.access %o[0, 0] : !tile
      %m = arith.addf %s, %n : f64
      stencil.return %m : f64
    }
    tile.store %r to %b : !tile to !grid
  }
  return
}

!async6 = !tile.ring<6 x [0,1]x[0,32]xf64, fill = async>
!threads5 = !tile.ring<5 x [0,1]x[0,32]xf64>

// CHECK-LABEL: @batches
func.func @batches(%u: !field, %v: !field) {
  // Two planes per iteration, with one barrier for what has come, and what goes, of both.
  // CHECK-LABEL: @two_planes
  // CHECK: tile.wait
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.copy
  // CHECK-NOT: tile.barrier
  // REMARK: Remark="a stage reads planes of ring 0, which threads have written; plane p + 3 of ring 0 takes the place of plane p + -3, which a stage has read"
  tile.kernel @two_planes(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async6
    tile.walk lookback 1 unroll 2 plane %p cursors(%c: !tile.cursor<6>) {
      tile.wait %w[%c] plane 1 : !async6
      tile.copy %a[%p] to %w[%c] plane 3 : !field, !async6
      %x = tile.source %w[%c] : !async6 -> !three
      tile.where {
        %r = stencil.apply(%t = %x : !three) -> (!row) {
          %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }

  // A plane that was brought an iteration ago is one that is brought now, of an iteration of two.
  // CHECK-LABEL: @one_ahead
  // CHECK: tile.copy
  // CHECK: tile.barrier
  // CHECK: tile.where
  // REMARK: Remark="a stage reads planes of ring 0, which threads have written"
  tile.kernel @one_ahead(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !threads5
    tile.walk lookback 1 unroll 2 plane %p cursors(%c: !tile.cursor<5>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !threads5
      %x = tile.source %w[%c] : !threads5 -> !two
      tile.where {
        %r = stencil.apply(%t = %x : !two) -> (!row) {
          %s = stencil.weighted_sum %t offsets [[-1, 0], [0, 0]] weights dense<0.5> : tensor<2xf64> : !two
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }

  // What is not asked for early enough comes plane by plane.
  // REMARK: [Missed] Planes{{.*}}Remark="barriers are for one plane each: of ring 0, planes up to p + 2 are asked for when planes up to p + 3 are waited for"
  tile.kernel @too_near(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async6
    // CHECK-LABEL: @too_near
    // CHECK: tile.barrier
    tile.walk lookback 1 unroll 3 plane %p cursors(%c: !tile.cursor<6>) {
      tile.wait %w[%c] plane 1 : !async6
      tile.copy %a[%p] to %w[%c] plane 3 : !field, !async6
      %x = tile.source %w[%c] : !async6 -> !three
      tile.where {
        %r = stencil.apply(%t = %x : !three) -> (!row) {
          %s = stencil.weighted_sum %t offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !three
          stencil.return %s : f64
        }
        tile.store %r to %b[%p] : !row to !field
      }
    }
  }
  return
}
