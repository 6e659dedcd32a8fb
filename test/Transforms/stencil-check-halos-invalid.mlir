// RUN: stencil-opt %s --stencil-check-halos --split-input-file --verify-diagnostics

!temp = !stencil.temp<?xf64>
func.func @left(%a: !stencil.field<[0,64]xf64>, %b: !stencil.field<[0,64]xf64>) {
  // expected-note @below {{the field is loaded here}}
  %t = stencil.load %a : !stencil.field<[0,64]xf64> -> !temp
  // expected-note @below {{evaluated on #stencil.bounds<[0], [64]> here}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    // expected-error @below {{halo too small: needs [-1,63) on axis 0, the field has [0,64)}}
    %l = stencil.access %x[-1] : !temp
    stencil.return %l : f64
  }
  stencil.store %r to %b(<[0], [64]>) : !temp to !stencil.field<[0,64]xf64>
  return
}

// -----

// The rules of whole programs come first.
func.func @reduce(%a: f64) {
  // expected-error @below {{stencil.fold}}
  stencil.reduce %a init %a {
  ^bb0(%x: f64, %y: f64):
    stencil.yield %x : f64
  } : f64
  return
}
