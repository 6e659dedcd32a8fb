// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// Walks, and what they become.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_lookback_neg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op expected 'lookback' from 0 to 1048576, got -1}}
    tile.walk lookback -1 plane %p {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_lookback_huge(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op expected 'lookback' from 0 to 1048576, got 9223372036854775807}}
    tile.walk lookback 9223372036854775807 plane %p {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_cursor_dup(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op expected cursors of different numbers of slots, got two of 4}}
    tile.walk plane %p cursors(%c : !tile.cursor<4>, %d : !tile.cursor<4>) {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_cursor_index(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op expected cursors, got 'index'}}
    tile.walk plane %p cursors(%c : index) {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @walk_carry_noyield(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %n = ub.poison : !row
    // expected-error@+1 {{'tile.yield' op expected to yield values of the types that the walk carries, '!stencil.temp<[0,1]x[0,32]xf64>', got }}
    tile.walk plane %p carry(%q = %n : !row) {
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!next = !stencil.temp<[1,2]x[0,32]xf64>
func.func @walk_carry_wrong(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %n = ub.poison : !row
    tile.walk plane %p carry(%q = %n : !row) {
      %m = ub.poison : !next
      // expected-error@+1 {{'tile.yield' op expected to yield values of the types that the walk carries, '!stencil.temp<[0,1]x[0,32]xf64>', got '!stencil.temp<[1,2]x[0,32]xf64>'}}
      tile.yield %m : !next
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_g_noarg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op expected a plane (index), cursors and 0 carried values as block arguments}}
    "tile.walk"() <{lookback = 0 : i64}> ({
      tile.yield
    }) : () -> ()
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_g_empty(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
    "tile.walk"() <{lookback = 0 : i64}> ({
    }) : () -> ()
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_g_noterm(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    "tile.walk"() <{lookback = 0 : i64}> ({
    ^bb0(%p: index):
      // expected-error@+1 {{block with no terminator, has %0 = "arith.constant"() <{value = 0 : index}> : () -> index}}
      %z = arith.constant 0 : index
    }) : () -> ()
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @walk_outside(%u: !field, %r : !row) {
  // expected-error@+1 {{'tile.walk' op expects parent op 'tile.kernel'}}
  tile.walk plane %p {
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @seg_lookback_neg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.segment' op expected 'lookback' from 0 to 1048576, got -1}}
    %first, %count = tile.segment lookback -1 : index
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @seg_lookback_big(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.segment' op expected 'lookback' from 0 to 1048576, got 1000000000000}}
    %first, %count = tile.segment lookback 1000000000000 : index
  }
  return
}

// -----

func.func @segment_outside() {
  // expected-error@+1 {{'tile.segment' op expected to be in a tile.kernel}}
  %g, %h = tile.segment : index
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @advance_zero(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    // expected-error@+1 {{'tile.advance' op expected a distance from 1 to 1024, got 0}}
    %d = tile.advance %c by 0 : !tile.cursor<4>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @advance_huge(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    // expected-error@+1 {{'tile.advance' op expected a distance from 1 to 1024, got 9223372036854775807}}
    %d = tile.advance %c by 9223372036854775807 : !tile.cursor<4>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @advance_type(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    %c = tile.cursor %zero : !tile.cursor<4>
    // expected-error@+1 {{'tile.advance' op requires the same type for all operands and results}}
    %d = "tile.advance"(%c) <{distance = 1 : i64}> : (!tile.cursor<4>) -> !tile.cursor<5>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @copy_twice(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected one copy per iteration to a ring, got another one}}
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
      // expected-note@+1 {{the other one is here}}
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!async = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
func.func @wait_nocopy(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.wait' op waits for plane p + 1, but the walk has no copy to this ring}}
      tile.wait %w[%c] plane 1 : !async
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!async = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @wait_late(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !async
      %x = tile.source %w[%c] : !async -> !read
      // expected-error@+1 {{'stencil.apply' op reads plane p + 1 of a ring that has planes up to p + 0 here}}
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
      tile.wait %w[%c] plane 1 : !async
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!async = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @wait_neg_far(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !async
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !async
      tile.wait %w[%c] plane -1000 : !async
      %x = tile.source %w[%c] : !async -> !stencil.temp<[-1,0]x[-1,33]xf64>
      // expected-error@+1 {{'stencil.apply' op reads plane p + -1 of a ring that has planes up to p + -1000 here}}
      %r = stencil.apply(%t = %x : !stencil.temp<[-1,0]x[-1,33]xf64>) -> (!row) {
        %0 = stencil.access %t[-1, 0] : !stencil.temp<[-1,0]x[-1,33]xf64>
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!delayed = !tile.ring<4 x [0,1]x[-1,33]xf64, fill = delayed>
func.func @delayed_far(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !delayed
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected at most 16 planes of 'fill = delayed' between the copy and the wait for p + 1, got 999}}
      tile.copy %a[%p] to %w[%c] plane 1000 : !field, !delayed
      tile.wait %w[%c] plane 1 : !delayed
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @ring_read_only(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.source' op expected a ring that a tile.copy of the walk fills}}
      %x = tile.source %w[%c] : !ring -> !read
      %r = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @walk_unroll(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    // expected-error@+1 {{'tile.walk' op expected 'unroll' to be from 1 to 1024, got 0}}
    tile.walk lookback 1 unroll 0 plane %p {
    }
  }
  return
}
