// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @sum(%a: f64) -> f64 {
  // expected-error@+1 {{expected 'stencil.rounded' as a unit on an arith.mulf only}}
  %s = arith.addf %a, %a {stencil.rounded} : f64
  return %s : f64
}

// -----

func.func @number(%a: f64) -> f64 {
  // expected-error@+1 {{expected 'stencil.rounded' as a unit on an arith.mulf only}}
  %s = arith.mulf %a, %a {stencil.rounded = 1} : f64
  return %s : f64
}
