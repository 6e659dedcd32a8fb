// Rings with the rows at the edges of those of each thread, and who may read them.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected 'edges' of at least one row, got 0}}
func.func private @no_rows() attributes {x = !tile.ring<2 x [0,1]x[0,16]x[0,64]xf64, fill = stage, edges = 0 of 4>}

// -----

// expected-error@+1 {{expected 'edges' once}}
func.func private @twice() attributes {x = !tile.ring<2 x [0,1]x[-1,17]x[0,64]xf64, fill = stage, edges = 1 of 4, edges = 1 of 4>}

// -----

// expected-error@+1 {{expected 'fill = stage' with 'edges', got 'async'}}
func.func private @copied() attributes {x = !tile.ring<2 x [0,1]x[-1,17]x[0,64]xf64, fill = async, edges = 1 of 4>}

// -----

// expected-error@+1 {{expected two axes or more with 'edges', got 1}}
func.func private @row() attributes {x = !tile.ring<1 x [0,64]xf64, fill = stage, edges = 1 of 4>}

// -----

// expected-error@+1 {{expected groups of 4 rows from 0 on, and 1 more on either side, along axis 1, got [-1,16]}}
func.func private @half_a_group() attributes {x = !tile.ring<2 x [0,1]x[-1,16]x[0,64]xf64, fill = stage, edges = 1 of 4>}

// -----

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!ring = !tile.ring<2 x [0,1]x[-1,17]x[-2,66]xf64, fill = stage, edges = 1 of 4>
!read = !stencil.temp<[0,1]x[-1,17]x[-2,66]xf64>
!plane = !stencil.temp<[0,1]x[0,16]x[0,64]xf64>
!next = !stencil.temp<[1,2]x[0,16]x[0,64]xf64>

func.func @reader(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0, 0], [64, 64, 64]>, block = [1, 4, 32], points = [1, 4, 2], walk = 0> {
    // expected-note@+1 {{the ring is here}}
    %w = tile.ring : !ring
    tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<2>) {
      %t = tile.source %a[%p] : !field -> !stencil.temp<?x?x?xf64>
      %n = tile.where needs <[1, 0, 0], [2, 1, 1]> -> (!next) {
        %m = stencil.apply(%x = %t : !stencil.temp<?x?x?xf64>) -> (!next) {
          %0 = stencil.access %x[0, 0, 0] : !stencil.temp<?x?x?xf64>
          stencil.return %0 : f64
        }
        tile.yield %m : !next
      }
      tile.put %n to %w[%c] plane 1 : !next, !ring
      %s = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{reads a ring with 'edges', which lacks rows: expected the source of a stage with '#tile.lanes'}}
      %r = stencil.apply(%x = %s : !read) -> (!plane) {
        %0 = stencil.access %x[0, 1, 0] : !read
        stencil.return %0 : f64
      }
      tile.where {
        tile.store %r to %b[%p] : !plane to !field
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!ring = !tile.ring<2 x [0,1]x[-1,17]x[-2,66]xf64, fill = stage, edges = 1 of 4>
!read = !stencil.temp<[0,1]x[-1,17]x[-2,66]xf64>
!plane = !stencil.temp<[0,1]x[0,16]x[0,64]xf64>
!next = !stencil.temp<[1,2]x[0,16]x[0,64]xf64>

func.func @other_rows(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0, 0], [64, 64, 64]>, block = [1, 8, 32], points = [1, 2, 2], walk = 0> {
    %w = tile.ring : !ring
    %none = ub.poison : !plane
    %end = tile.walk lookback 1 plane %p cursors(%c : !tile.cursor<2>) carry(%q = %none : !plane) {
      %t = tile.source %a[%p] : !field -> !stencil.temp<?x?x?xf64>
      %n = tile.where needs <[1, 0, 0], [2, 1, 1]> -> (!next) {
        %m = stencil.apply(%x = %t : !stencil.temp<?x?x?xf64>) -> (!next) {
          %0 = stencil.access %x[0, 0, 0] : !stencil.temp<?x?x?xf64>
          stencil.return %0 : f64
        }
        tile.yield %m : !next
      }
      tile.put %n to %w[%c] plane 1 : !next, !ring
      %s = tile.source %w[%c] : !ring -> !read
      // expected-error@+1 {{cannot be computed by #tile.lanes: expected a ring with edges of the 2 rows of a thread, got 4}}
      %r = stencil.apply(%x = %s : !read, %y = %q : !plane) -> (!plane) attributes {tile.engine = #tile.lanes} {
        %0 = stencil.access %x[0, 1, 0] : !read
        stencil.return %0 : f64
      }
      tile.where {
        tile.store %r to %b[%p] : !plane to !field
      }
      %next = tile.shift %n : !next -> !plane
      tile.yield %next : !plane
    }
  }
  return
}
