// RUN: stencil-opt %s --@FLAG@ --split-input-file --verify-diagnostics

func.func @unknown_domain(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  %t = stencil.load %u : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  // expected-error @+1 {{expected a known domain; run stencil-infer-shapes before @FLAG@}}
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %value = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %value : f64
  }
  stencil.store %r to %v(<[0], [8]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>
  return
}
