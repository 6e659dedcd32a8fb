// What is read of a window has to be in it, wherever it is kept.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics --stencil-share-neighbours

!field = !stencil.field<[-4,28]x[-4,44]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @too_late(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-note@+1 {{what it reads is made here}}
    %q = stencil.window registers %s depth 2 lead 1 : !temp
    // expected-error@+1 {{reads plane p + -1, which a window of depth 2 and lead 1 has lost: the oldest one is p + 0}}
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,28]x[-4,44]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @no_field(%u: !field, %v: !field) {
  // expected-note@+1 {{for what is stored on}}
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      // expected-error@+1 {{accesses [5,45) of axis 1, expected to stay in '!stencil.field<[-4,28]x[-4,44]xf64>'}}
      %c = stencil.access %a[0, 4] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window registers %s : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}
