// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @rank(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a 'skew' for 2 axes, got one for 1}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [1]>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a 'skew' of 0 along axis 0, which the pipeline walks along, got 1: 'lead' is for that}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [1, 1]>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @far(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a 'skew' of at most 1024 points, got -9223372036854775808}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, -9223372036854775808]>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @lead_of_tile(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a lead of 0 in a pipeline without an axis, got 1}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, 1]>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}
