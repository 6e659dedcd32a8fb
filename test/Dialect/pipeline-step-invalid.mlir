// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// A walk by two planes: the iteration for planes p and p + 1 reads p - 1 to p + 2.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @lost(%u: !field, %v: !field) {
  stencil.pipeline axis 0 step 2 {
    %x = stencil.load %u : !field -> !temp
    // expected-note@+1 {{what it reads is made here}}
    %w = stencil.window shared %x depth 3 lead 1 : !temp
    // expected-error@+1 {{reads plane p + -1, which a window of depth 3 and lead 1 has lost: the oldest one is p + 0}}
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [1, 0]] weights dense<1.0> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @depth(%u: !field, %v: !field) {
  stencil.pipeline axis 0 step 2 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a depth of at least 2, the planes of an iteration, got 1}}
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
func.func @axis(%u: !field, %v: !field) {
  // expected-error@+1 {{expected an axis for 'step', got none}}
  stencil.pipeline step 2 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %s = stencil.access %a[1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
func.func @range(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'step' to be a number from 1 to 1024, got 0}}
  stencil.pipeline axis 0 step 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[0] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}
