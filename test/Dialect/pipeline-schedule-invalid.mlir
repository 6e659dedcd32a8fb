// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @rank(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a schedule for 2 axes, got one for 3}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 64]>} {
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

func.func @window(%u: !field, %v: !field) {
  // expected-error@+1 {{which the ops of the pipeline say, got #stencil.schedule<window = shared>}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<window = shared>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
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

func.func @accumulate(%u: !field, %v: !field) {
  // expected-error@+1 {{which the ops of the pipeline say, got #stencil.schedule<stream = 0, accumulate = scatter>}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, accumulate = scatter>} {
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

func.func @stream(%u: !field, %v: !field) {
  // expected-error@+1 {{expected the axis of its schedule, 1, got 0}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 1>} {
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

func.func @stream_alone(%u: !field, %v: !field) {
  // expected-error@+1 {{expected the axis of its schedule, 1, got none}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<stream = 1>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
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

func.func @block(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 1 in 'block' and 'points' for axis 0, which it walks along, got 4}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [4, 64]>} {
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

func.func @points(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 1 in 'block' and 'points' for axis 1, which it walks along, got 2}}
  stencil.pipeline axis 1 attributes {stencil.schedule = #stencil.schedule<points = [1, 2]>} {
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

func.func @stage_schedule(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'stencil.schedule' on the stencil.pipeline, not on its stages}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<points = [1, 2]>, stencil.stage = #stencil.stage<lead = 0>} {
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

func.func @no_stage(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'stencil.stage' in a pipeline with an axis}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
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

func.func @stage_without_axis(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected no 'stencil.stage' in a pipeline without an axis}}
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

func.func @stage_outside(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  // expected-error@+1 {{expected 'stencil.stage' on a stencil.apply in a stencil.pipeline only}}
  %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
    %c = stencil.access %a[0, 0] : !temp
    stencil.return %c : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @stage_kind(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a #stencil.stage as 'stencil.stage', got 1 : i64}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = 1} {
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

func.func @window_cache(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'shared', 'registers' or 'shuffle', got 'cache', which is no place of a window's own}}
    %w = stencil.window cache %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
