// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @from_outside(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  stencil.pipeline axis 0 {
    // expected-error@+1 {{expected values that ops before it in the pipeline make, got operand 0 of type }}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @unneeded_from_outside(%u: !field, %v: !field) {
  %y = stencil.load %u : !field -> !temp
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected values that ops before it in the pipeline make, got operand 0 of type }}
    %s = stencil.apply(%a = %y : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @window_from_outside(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  stencil.pipeline axis 0 {
    // expected-error@+1 {{expected values that ops before it in the pipeline make, got operand 0 of type }}
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @argument(%x: !temp, %v: !field) {
  stencil.pipeline axis 0 {
    // expected-error@+1 {{expected values that ops before it in the pipeline make, got operand 0 of type }}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @field(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    // expected-error@+1 {{expected values that ops before it in the pipeline make, got operand 0 of type '!stencil.field}}
    %r = stencil.apply(%a = %u : !field) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !field
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @cycle(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    // expected-error@+1 {{expected values that ops before it in the pipeline make, got operand 0}}
    %w = stencil.window registers %q depth 1 lead 0 : !temp
    %q = stencil.window registers %w depth 1 lead 0 : !temp
    stencil.store %w to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
