// RUN: stencil-opt %s --split-input-file --verify-diagnostics --stencil-skew-stages

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @stores(%u: !field, %v: !field, %o: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window shared %s depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, -1]>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    // expected-note@+1 {{the first store is here}}
    stencil.store %s to %o(<[0, 0], [24, 40]>) : !temp to !field
    // expected-error@+1 {{expected one skew of all that is stored, where the tiles of blocks begin, got [0, 0] and [0, -1]}}
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @no_window(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-note@+1 {{what it reads is made here}}
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected a window between stages of skews [0, 0] and [0, 2]: what it reads is of another thread}}
    %r = stencil.apply(%a = %s : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, 2]>} {
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
func.func @terms(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, 1]>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected terms of stages of one skew, which a thread adds, got [0, 0] and [0, 1]}}
    %r = stencil.accumulate %s, %t at [0, 1] : !temp
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @boundary(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, 1]>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected a 'boundary' of what has the skew of what is stored, [0, 0], so that their boxes end at the same points, got [0, 1]}}
    %q = stencil.window shared %s depth 1 lead 0 boundary(<[0, 0], [24, 40]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @relay(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 1 : !temp
    // expected-note@+1 {{that stage is here}}
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, 1]>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window shuffle %s depth 2 lead 1 : !temp
    // expected-error@+1 {{expected the skew that the stage 1 before it has in its leg, [0, 1], for 'relay = 2', whose legs run one code, got [0, 0]}}
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}
