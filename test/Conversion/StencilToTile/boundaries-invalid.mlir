// RUN: stencil-opt %s --split-input-file --verify-diagnostics --stencil-attach-target=chip=sm_90 --stencil-map-stages

!field = !stencil.field<[-1,14]x[-1,31]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @extrapolated(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{'stencil.window' op has no lowering here: #stencil.extrapolate<2> takes each value from several points; run stencil-expand-boundaries}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [13, 30]>) [#stencil.extrapolate<1>, #stencil.extrapolate<2>] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f32
    }
    stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @stored(%u: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{'stencil.window' op has no lowering: a boundary of a field that the pipeline stores to}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [13, 30]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f32
    }
    stencil.store %r to %u(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @of_a_stage(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f32
    }
    // expected-error@+1 {{'stencil.window' op has no lowering here: a boundary of what a stage makes; run stencil-expand-boundaries}}
    %w = stencil.window shared %s depth 2 lead 1 boundary(<[0, 0], [13, 30]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f32
    }
    stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}
