// RUN: stencil-opt %s --split-input-file --stencil-expand-boundaries --verify-diagnostics

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @loop(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      // expected-error@+1 {{has no lowering here: expected accesses of a window with a boundary of what a stage makes, or with an extrapolation}}
      %c = stencil.weighted_sum %a offsets [[-1, 0], [1, 0]] weights dense<[2.0, 4.0]> : tensor<2xf64> attributes {stencil.tap_loop} : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @group(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected no group for a boundary that is made of several planes, got 'group 0'}}
    %w = stencil.window shared %x depth 1 lead 1 group 0 boundary(<[0, 0], [9, 6]>) [#stencil.extrapolate<1>, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-40,140]x[-40,140]x[-40,140]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @wide(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0, 0, 0], [100, 100, 100]>) [#stencil.symmetric, #stencil.symmetric, #stencil.symmetric] : !temp
    // expected-error@+1 {{expected a boundary of what it reads for which its body has at most 32768 values to choose from}}
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-40, -40, -40] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [100, 100, 100]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @wraps_what_is_kept(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x boundary(<[0, 0], [9, 6]>) [#stencil.extrapolate<3> | #stencil.keep, #stencil.periodic] : !temp
    // expected-error@+1 {{has no lowering here: expected a field that has all points of which a boundary with kept, extrapolated and periodic sides is made, #stencil.bounds<[-1, -1], [10, 7]>}}
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      %d = stencil.access %a[1, 0] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
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
    // expected-error@+1 {{has no lowering here: a periodic boundary of what a stage makes; run stencil-wrap-stages}}
    %w = stencil.window shared %s depth 2 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
