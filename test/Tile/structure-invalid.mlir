// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// What stands between an op and what it reads, so that nobody would know what that is.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @join_source(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-note@+1 {{the tile.source is here}}
      %x = tile.source %w[%c] : !ring -> !stencil.temp<[0,1]x[-1,33]xf64>
      // expected-error@+1 {{'tile.join' op expected values that threads hold, got memory, which only stages read}}
      %j = tile.join %x : !stencil.temp<[0,1]x[-1,33]xf64> -> !stencil.temp<[0,1]x[-1,33]xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @shift_source(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-note@+1 {{the tile.source is here}}
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'tile.shift' op expected values that threads hold, got memory, which only stages read}}
      %j = tile.shift %x : !read -> !stencil.temp<[-2,1]x[-1,33]xf64>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @yield_source(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %none = ub.poison : !read
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) carry(%q = %none : !read) {
      // expected-note@+1 {{the tile.source is here}}
      %x = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{'tile.yield' op expected values that threads hold, got memory, which only stages read}}
      tile.yield %x : !read
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @where_yield_source(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.where -> (!read) {
        // expected-note@+1 {{the tile.source is here}}
        %x = tile.source %w[%c] : !ring -> !read
        // expected-error@+1 {{'tile.yield' op expected values that threads hold, got memory, which only stages read}}
        tile.yield %x : !read
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!any = !stencil.temp<?x?xf64>
func.func @source_in_where_field(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.where' op expected values on a box of rank 2, got '!stencil.temp<?x?xf64>'}}
      %x = tile.where -> (!any) {
        %y = tile.source %a[%p] : !field -> !any
        tile.yield %y : !any
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
func.func @select_sources(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-note@+1 {{the tile.source is here}}
      %x1 = tile.source %w[%c] : !ring -> !read
      %x2 = tile.source %w[%c] : !ring -> !read
      %tr = arith.constant true
      // expected-error@+1 {{'arith.select' op expected values that threads hold, got memory, which only stages read}}
      %x = arith.select %tr, %x1, %x2 : !read
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!read = !stencil.temp<[-1,2]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @select_values(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %x = tile.source %w[%c] : !ring -> !read
      %tr = arith.constant true
      %r1 = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
      %r2 = stencil.apply(%t = %x : !read) -> (!row) {
        %0 = stencil.access %t[0, 0] : !read
        stencil.return %0 : f64
      }
      // expected-error@+1 {{'arith.select' op expected values on boxes to be made by stages and ops of the dialect tile}}
      %r = arith.select %tr, %r1, %r2 : !row
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @select_ring(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %w2 = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %tr = arith.constant true
      // expected-error@+1 {{'arith.select' op expected values and numbers, got '!tile.ring<4 x [0,1]x[-1,33]xf64>': a ring is read by way of a tile.source}}
      %s = arith.select %tr, %w, %w2 : !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @select_field(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %tr = arith.constant true
      // expected-error@+1 {{'arith.select' op expected values and numbers, got '!stencil.field<[-1,65]x[-1,65]xf64>': a field of a kernel is read by way of a tile.source}}
      %s = arith.select %tr, %a, %b : !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @cast_field_ucc(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'builtin.unrealized_conversion_cast' op expected values and numbers, got '!stencil.field<[-1,65]x[-1,65]xf64>': a field of a kernel is read by way of a tile.source}}
      %s = builtin.unrealized_conversion_cast %a : !field to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @ring_ucc_use(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %z = arith.constant 0 : index
    %w = builtin.unrealized_conversion_cast %z : index to !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'tile.copy' op expected a ring that a tile.ring is the op of, got the result of 'builtin.unrealized_conversion_cast'}}
      tile.copy %a[%p] to %w[%c] plane 1 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @cursor_ucc(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %z = arith.constant 0 : index
      %d = builtin.unrealized_conversion_cast %z : index to !tile.cursor<4>
      // expected-error@+1 {{'tile.copy' op expected a cursor of a tile.walk, a tile.cursor, a tile.advance or a loop, got the result of 'builtin.unrealized_conversion_cast'}}
      tile.copy %a[%p] to %w[%d] plane 1 : !field, !ring
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @select_cursor(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      %tr = arith.constant true
      // expected-error@+1 {{'arith.select' op expected values and numbers, got a cursor}}
      %d = arith.select %tr, %c, %c : !tile.cursor<4>
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @poison_ring(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %zero = arith.constant 0 : index
    %first, %count = tile.segment : index
    %m = ub.poison : !ring
    %c = tile.cursor %zero : !tile.cursor<4>
    // expected-error@+1 {{'tile.copy' op expected a ring that a tile.ring is the op of, got the result of 'ub.poison'}}
    tile.copy %a[%first] to %m[%c] : !field, !ring
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @poison_field(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %zero = arith.constant 0 : index
    %first, %count = tile.segment : index
    %m = ub.poison : !field
    %c = tile.cursor %zero : !tile.cursor<4>
    // expected-error@+1 {{'tile.copy' op expected a field that is an argument of the kernel, got the result of 'ub.poison'}}
    tile.copy %m[%first] to %w[%c] : !field, !ring
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
func.func @poison_cursor(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    %first, %count = tile.segment : index
    %m = ub.poison : !tile.cursor<4>
    // expected-error@+1 {{'tile.copy' op expected a cursor of a tile.walk, a tile.cursor, a tile.advance or a loop, got the result of 'ub.poison'}}
    tile.copy %a[%first] to %w[%m] : !field, !ring
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!ring = !tile.ring<4 x [0,1]x[-1,33]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @stage_ring_arg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'stencil.apply' op expected values and numbers, got '!tile.ring<4 x [0,1]x[-1,33]xf64>': a ring is read by way of a tile.source}}
      %r = stencil.apply(%t = %w : !ring) -> (!row) {
        %0 = arith.constant 1.0 : f64
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @stage_field_arg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'stencil.apply' op expected values and numbers, got '!stencil.field<[-1,65]x[-1,65]xf64>': a field of a kernel is read by way of a tile.source}}
      %r = stencil.apply(%t = %a : !field) -> (!row) {
        %0 = stencil.access %t[0,0] : !field
        stencil.return %0 : f64
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
func.func @stage_cursor_arg(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<4>) {
      // expected-error@+1 {{'stencil.apply' op expected values and numbers, got a cursor}}
      %r = stencil.apply(%t = %c : !tile.cursor<4>) -> (!row) {
        %0 = arith.constant 1.0 : f64
        stencil.return %0 : f64
      }
    }
  }
  return
}
