// RUN: stencil-opt %s --convert-stencil-to-cpu --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @boundary_in_place(%u: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-note @+1 {{it is read here}}
    %w = stencil.window shared %x depth 2 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !temp
    %s = stencil.apply(%p = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %p[1, 0] : !temp
      stencil.return %0 : f64
    }
    // expected-error @+1 {{has no CPU lowering: expected another field than one that is read at other points}}
    stencil.store %s to %u(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// Another thread may have stored there already.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @in_place(%u: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      // expected-note @+1 {{it is read here}}
      %0 = stencil.access %p[1, 0] : !temp
      stencil.return %0 : f64
    }
    // expected-error @+1 {{has no CPU lowering: expected another field than one that is read at other points}}
    stencil.store %s to %u(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @within(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%p = %x : !temp) -> (!temp) {
      %0 = stencil.access %p[0, 0] : !temp
      stencil.return %0 : f64
    }
    // expected-error @+1 {{has no CPU lowering: expected a boundary instead of 'stencil.within'}}
    %w = stencil.window shared %s attributes {stencil.within = #stencil.bounds<[0, 0], [64, 64]>} : !temp
    %r = stencil.apply(%p = %w : !temp) -> (!temp) {
      %0 = stencil.access %p[1, 0] : !temp
      stencil.return %0 : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @periodic(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %h = stencil.load %v : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no CPU lowering: a periodic boundary of what a stage makes, on axis 0; run stencil-wrap-stages}}
    %w = stencil.window shared %s depth 2 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
