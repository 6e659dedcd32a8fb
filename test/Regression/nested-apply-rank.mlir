// The accesses of an inner apply were checked against the axes of the outer one,
// which has fewer.
// RUN: stencil-opt %s --verify-diagnostics

func.func @nested(%t: !stencil.temp<[0,4]x[0,4]x[0,4]xf64>) {
  // expected-note@+1 {{the stencil.apply is here}}
  %r = stencil.apply(%x = %t : !stencil.temp<[0,4]x[0,4]x[0,4]xf64>) -> (!stencil.temp<[0,4]xf64>) {
    // expected-error@+1 {{expected to be outside of the body of a stencil.apply}}
    %s = stencil.apply(%y = %x : !stencil.temp<[0,4]x[0,4]x[0,4]xf64>) -> (!stencil.temp<[0,4]x[0,4]x[0,4]xf64>) {
      %v = stencil.access %y[0, 0, 0] : !stencil.temp<[0,4]x[0,4]x[0,4]xf64>
      stencil.return %v : f64
    }
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  }
  return
}
