// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// What a stage has made, others read at their own points.
!field = !stencil.field<[-1,9]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,4]xf64>
!inner = !stencil.temp<[0,3]xf64>
func.func @neighbour(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !any
    // expected-note@+1 {{the values are these}}
    %m = stencil.apply(%t = %x : !any) -> (!tile) {
      %0 = stencil.access %t[1] : !any
      stencil.return %0 : f64
    }
    %r = stencil.apply(%t = %m : !tile) -> (!inner) {
      // expected-error@+1 {{'stencil.access' op reads neighbours of values that other threads hold: expected offset 0 along all axes but that of the walk}}
      %0 = stencil.access %t[1] : !tile
      stencil.return %0 : f64
    }
  }
  return
}

// -----

// Along the walk, a thread has all planes; across it, it has its own points.
!field = !stencil.field<[-1,9]x[-1,9]xf64>
!lower = !stencil.temp<[-1,0]x[0,4]xf64>
!row = !stencil.temp<[0,1]x[0,4]xf64>
!part = !stencil.temp<[0,1]x[1,4]xf64>
func.func @walk(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [8, 8]>, block = [1, 4], points = [1, 1], walk = 0> {
    // expected-note@+1 {{the values are these}}
    %none = ub.poison : !lower
    tile.walk lookback 1 plane %p {
      %r = stencil.apply(%t = %none : !lower) -> (!row) {
        %0 = stencil.access %t[-1, 0] : !lower
        stencil.return %0 : f64
      }
      %s = stencil.apply(%t = %none : !lower) -> (!part) {
        // expected-error@+1 {{reads neighbours of values}}
        %0 = stencil.access %t[-1, -1] : !lower
        stencil.return %0 : f64
      }
    }
  }
  return
}
