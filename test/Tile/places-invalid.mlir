// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// Which ops may stand where in a kernel, and what loops may carry.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @loop_carry_ring(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %first, %count = tile.segment : index
    // expected-error@+1 {{'scf.for' op expected values and numbers, got '!tile.ring<4 x [0,1]x[-1,33]xf64>': a ring is read by way of a tile.source}}
    %e = scf.for %i = %zero to %count step %one iter_args(%y = %w) -> (!ring) {
      scf.yield %y : !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @loop_carry_field(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %first, %count = tile.segment : index
    // expected-error@+1 {{'scf.for' op expected values and numbers, got '!stencil.field<[-1,65]x[-1,65]xf64>': a field of a kernel is read by way of a tile.source}}
    %e = scf.for %i = %zero to %count step %one iter_args(%y = %a) -> (!field) {
      scf.yield %y : !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @loop_carry_source(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %first, %count = tile.segment : index
    %q = ub.poison : !read
    %e = scf.for %i = %zero to %count step %one iter_args(%y = %q) -> (!read) {
      %c = tile.cursor %i : !tile.cursor<4>
      // expected-note@+1 {{the tile.source is here}}
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'scf.yield' op expected values that threads hold, got memory, which only stages read}}
      scf.yield %x : !read
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @loop_carry_memref(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %first, %count = tile.segment : index
    %m = ub.poison : memref<4xf64>
    // expected-error@+1 {{'scf.for' op expected to carry cursors, values on boxes and numbers, got 'memref<4xf64>'}}
    %e = scf.for %i = %zero to %count step %one iter_args(%y = %m) -> (memref<4xf64>) {
      scf.yield %m : memref<4xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @walk_carry_ring(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %n = tile.ring : !ring
    // expected-error@+1 {{'tile.walk' op expected to carry values on boxes and numbers, got '!tile.ring<4 x [0,1]x[-1,33]xf64>'}}
    tile.walk plane %p carry(%q = %n : !ring) {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_carry_field_use(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op expected to carry values on boxes and numbers, got '!stencil.field<[-1,65]x[-1,65]xf64>'}}
    tile.walk plane %p carry(%q = %a : !field) {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_carry_cursor(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %z = arith.constant 0 : index
    %n = tile.cursor %z : !tile.cursor<4>
    // expected-error@+1 {{'tile.walk' op expected to carry values on boxes and numbers, got '!tile.cursor<4>'}}
    tile.walk plane %p carry(%q = %n : !tile.cursor<4>) {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_carry_vec(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %n = arith.constant dense<1.0> : vector<4xf64>
    // expected-error@+1 {{'tile.walk' op expected to carry values on boxes and numbers, got 'vector<4xf64>'}}
    tile.walk plane %p carry(%q = %n : vector<4xf64>) {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @cursor_in_walk(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %d = tile.cursor %p : !tile.cursor<4>
      // expected-error@+1 {{'tile.copy' op expected a cursor of the walk, got the result of 'tile.cursor'}}
      tile.copy %a[%p] to %w[%d] plane 1 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @advance_in_walk(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %d = tile.advance %c by 2 : !tile.cursor<4>
      // expected-error@+1 {{'tile.copy' op expected a cursor of the walk, got the result of 'tile.advance'}}
      tile.copy %a[%p] to %w[%d] plane 1 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_other_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %one = arith.constant 1 : index
      %q = arith.addi %p, %one : index
      // expected-error@+1 {{'tile.copy' op expected the plane of the walk, got the result of 'arith.addi'}}
      tile.copy %a[%q] to %w[%c] plane 1 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @store_other_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
      %one = arith.constant 1 : index
      %q = arith.addi %p, %one : index
      // expected-error@+1 {{'tile.store' op expected the plane of the walk, got the result of 'arith.addi'}}
      tile.store %r to %b[%q] : !row to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
func.func @source_other_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %one = arith.constant 1 : index
      %q = arith.addi %p, %one : index
      // expected-error@+1 {{'tile.source' op expected the plane of the walk, got the result of 'arith.addi'}}
      %x = tile.source %a[%q] : !field -> !any
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_in_if(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %tr = arith.constant true
      scf.if %tr {
        // expected-error@+1 {{'tile.copy' op expected in the body of the tile.walk itself, where its place in the order of ops is known}}
        tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @barrier_in_if(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %tr = arith.constant true
      scf.if %tr {
        // expected-error@+1 {{'tile.barrier' op expected in the body of the tile.walk itself, where its place in the order of ops is known}}
        tile.barrier
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
func.func @barrier_in_stage(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-note@+1 {{the stage is here}}
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        // expected-error@+1 {{'tile.barrier' op expected to be outside of the body of a stage}}
        tile.barrier
        %0 = stencil.access %t[0,0] : !read
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
func.func @cursor_in_stage(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-note@+1 {{the stage is here}}
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0,0] : !read
        %g = arith.constant 0 : index
        // expected-error@+1 {{'tile.cursor' op expected to be outside of the body of a stage}}
        %h = tile.cursor %g : !tile.cursor<4>
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
func.func @kernel_in_stage(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      // expected-note@+1 {{it is here}}
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0,0] : !read
        // expected-error@+1 {{'tile.kernel' op expected to be outside of a stencil.apply}}
        tile.kernel @inner(%e = %0 : f64) grid <domain = <[0], [8]>, block = [8], points = [1]> {
        }
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @perm_ring(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !tile.ring<32 x [0,1]x[-1,33]xf64>
    tile.walk lookback 31 plane %p cursors(%c : !tile.cursor<32>) {
      %x = tile.source %w[%c] : !tile.ring<32 x [0,1]x[-1,33]xf64> -> !stencil.temp<[-31,1]x[-1,33]xf64>
      %r = stencil.apply(%t = %x : !stencil.temp<[-31,1]x[-1,33]xf64>) -> (!row) {
        // expected-error@+1 {{'stencil.access' op expected a strictly increasing offset mapping}}
        %0 = "stencil.access"(%t) {offset = #stencil.index<[0, 0]>, offset_mapping = #stencil.index<[1, 0]>} : (!stencil.temp<[-31,1]x[-1,33]xf64>) -> f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @seg_step_zero(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    %first, %count = tile.segment : index
    // expected-error@+1 {{'scf.for' op expected a positive constant as step, got 0}}
    scf.for %i = %zero to %count step %zero {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
func.func @poison_any(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'ub.poison' op expected values on a box of rank 2, got '!stencil.temp<?x?xf64>'}}
      %n = ub.poison : !any
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @poison_huge(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'ub.poison' op expected a box from -1048576 to 1048576 along axis 0, got [0,1000000000]}}
      %n = ub.poison : !stencil.temp<[0,1000000000]x[0,32]xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_carry_rank(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'ub.poison' op expected values on a box of rank 2, got '!stencil.temp<[0,4]xf64>'}}
    %n = ub.poison : !stencil.temp<[0,4]xf64>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @stage_far_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'ub.poison' op expected a box from -1048576 to 1048576 along axis 0, got [1000000000000,1000000000001]}}
      %n = ub.poison : !stencil.temp<[1000000000000,1000000000001]x[0,32]xf64>
    }
  }
  return
}
