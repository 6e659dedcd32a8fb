// RUN: stencil-opt %s --stencil-check-steps --split-input-file --verify-diagnostics

func.func @stays(%n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{expected a positive step, got 0}}
  scf.for %i = %zero to %n step %zero {
  }
  return
}

// -----

func.func @body(%u: !stencil.field<[0,8]xf64>) {
  %t = stencil.load %u : !stencil.field<[0,8]xf64> -> !stencil.temp<[0,8]xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<[0,8]xf64>) -> (!stencil.temp<[0,8]xf64>) {
    %one = arith.constant 1 : index
    %down = arith.constant -1 : index
    %v = stencil.access %x[0] : !stencil.temp<[0,8]xf64>
    // expected-error @+1 {{expected a positive step, got -1}}
    %sum = scf.for %j = %one to %one step %down iter_args(%a = %v) -> (f64) {
      %b = arith.addf %a, %v : f64
      scf.yield %b : f64
    }
    stencil.return %sum : f64
  }
  stencil.store %r to %u(<[0], [8]>) : !stencil.temp<[0,8]xf64> to !stencil.field<[0,8]xf64>
  return
}
