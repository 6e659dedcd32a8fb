// Stores of planes ahead of that of the iteration.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!next = !stencil.temp<[1,2]x[0,32]xf64>
!two = !stencil.temp<[2,3]x[0,32]xf64>
!any = !stencil.temp<?x?xf64>
func.func @late(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p {
      %x = tile.source %a[%p] : !field -> !any
      tile.where {
        %r = stencil.apply(%t = %x : !any) -> (!two) {
          %c = stencil.access %t[0, 0] : !any
          stencil.return %c : f64
        }
        // expected-error@+1 {{stores plane p + 2: expected a lookback of at least 2, got 1}}
        tile.store %r to %b[%p] : !two to !field
      }
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!behind = !stencil.temp<[-1,0]x[0,32]xf64>
!any = !stencil.temp<?x?xf64>
func.func @behind(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p {
      %x = tile.source %a[%p] : !field -> !any
      tile.where {
        %r = stencil.apply(%t = %x : !any) -> (!behind) {
          %c = stencil.access %t[0, 0] : !any
          stencil.return %c : f64
        }
        // expected-error@+1 {{expected one plane along axis 0, from plane 0 on, got '!stencil.temp<[-1,0]x[0,32]xf64>'}}
        tile.store %r to %b[%p] : !behind to !field
      }
    }
  }
  return
}

// -----

// What is read in the next iteration has been stored over in this one.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!plane = !stencil.temp<[0,1]x[0,32]xf64>
!next = !stencil.temp<[1,2]x[0,32]xf64>
!any = !stencil.temp<?x?xf64>
func.func @read_after(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk lookback 1 plane %p {
      %x = tile.source %a[%p] : !field -> !any
      tile.where {
        %r = stencil.apply(%t = %x : !any) -> (!next) {
          %c = stencil.access %t[0, 0] : !any
          stencil.return %c : f64
        }
        // expected-error@+1 {{reads plane p + 0 of a field in which plane p + 1 is stored in the same iteration}}
        %s = stencil.apply(%t = %x : !any) -> (!plane) {
          %c = stencil.access %t[0, 0] : !any
          stencil.return %c : f64
        }
        // expected-note@+1 {{it is stored to here}}
        tile.store %r to %a[%p] : !next to !field
        tile.store %s to %b[%p] : !plane to !field
      }
    }
  }
  return
}
