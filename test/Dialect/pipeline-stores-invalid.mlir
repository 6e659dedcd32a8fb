// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// The walk ends before the last plane of the stage has been made.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @behind(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = -1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected no negative lead of what is stored, got -1: a walk ends with the last plane that is stored}}
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// A window of planes before p only.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @window_behind(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = -2>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window registers %r depth 3 lead -2 : !temp
    // expected-error@+1 {{expected no negative lead of what is stored, got -2}}
    stencil.store %w to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
