// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @other_op(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{'arith.constant' op is no op of the body of a stencil.pipeline, which has loads, applies, windows, accumulations and stores}}
    %k = arith.constant 1.0 : f64
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

func.func @nested(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
    // expected-error@+1 {{'stencil.pipeline' op is no op of the body}}
    stencil.pipeline {
      %y = stencil.load %u : !field -> !temp
      %s = stencil.apply(%a = %y : !temp) -> (!temp) {
        %c = stencil.access %a[0, 0] : !temp
        stencil.return %c : f64
      }
      stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @axis(%u: !field, %v: !field) {
  // expected-error@+1 {{expected an axis within the rank 2, got 2}}
  stencil.pipeline axis 2 {
    %x = stencil.load %u : !field -> !temp
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

func.func @negative_axis(%u: !field, %v: !field) {
  // expected-error@+1 {{expected an axis within the rank 2, got -1}}
  stencil.pipeline axis -1 {
    %x = stencil.load %u : !field -> !temp
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

func.func @boxes(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
    // expected-error@+1 {{expected the box of the first store of the pipeline, #stencil.bounds<[0, 0], [64, 64]>, got #stencil.bounds<[0, 0], [64, 63]>}}
    stencil.store %r to %u(<[0, 0], [64, 63]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @stored_twice(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-note@+1 {{the field is stored to here}}
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
    // expected-error@+1 {{expected stores to different fields}}
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @stored_through_cast(%u: !field, %v: !field) {
  %w = stencil.cast %v : !field -> !field
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-note@+1 {{the field is stored to here}}
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
    // expected-error@+1 {{expected stores to different fields}}
    stencil.store %r to %w(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @loaded_late(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-note@+1 {{the field is stored to here}}
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
    // expected-error@+1 {{expected to be before the stores to its field}}
    %y = stencil.load %v : !field -> !temp
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @stored_load(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected the result of a stage to be stored}}
    stencil.store %x to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @stored_window(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    // expected-error@+1 {{expected the result of a stage to be stored}}
    stencil.store %w to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @box(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    // expected-error@+1 {{expected a value without a box in a stencil.pipeline, which has the boxes from its stores, got }}
    %x = stencil.load %u : !field -> !stencil.temp<[0,64]x[0,64]xf64>
    %r = stencil.apply(%a = %x : !stencil.temp<[0,64]x[0,64]xf64>) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !stencil.temp<[0,64]x[0,64]xf64>
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @bufferised(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected the value form within a stencil.pipeline}}
    stencil.apply(%a = %x : !temp) outs (%v : !field) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    } to <[0, 0], [64, 64]>
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %u(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @unroll(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected no 'unroll' within a stencil.pipeline}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c, %c unroll <[1, 2]> : f64, f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @rank(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a stage of rank 2, as the stores have, got 1}}
    %s = stencil.apply(%a = %x : !temp) -> (!stencil.temp<?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = arith.constant 1.0 : f64
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

func.func @no_block() {
  // expected-error@+1 {{'stencil.pipeline' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "stencil.pipeline"() ({}) : () -> ()
  return
}
