// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @both(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w0 = stencil.window shared %x group 0 : !temp
    %w1 = stencil.window shared %x group 1 : !temp
    // expected-error@+1 {{expected windows of one group, whose memory is that of all others, got groups 0 and 1}}
    %r = stencil.apply(%a = %w0 : !temp, %b = %w1 : !temp) -> (!temp) {
      %p = stencil.access %a[1] : !temp
      %q = stencil.access %b[-1] : !temp
      %s = arith.addf %p, %q : f64
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @late(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w0 = stencil.window shared %x group 0 : !temp
    %w1 = stencil.window shared %x group 1 : !temp
    // expected-note@+1 {{which is read here}}
    %p = stencil.apply(%a = %w1 : !temp) -> (!temp) {
      %p = stencil.access %a[1] : !temp
      stencil.return %p : f64
    }
    // expected-error@+1 {{reads a window of group 0, whose memory has been given to group 1}}
    %r = stencil.apply(%a = %w0 : !temp, %b = %p : !temp) -> (!temp) {
      %p0 = stencil.access %a[1] : !temp
      %q0 = stencil.access %b[0] : !temp
      %s = arith.addf %p0, %q0 : f64
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @walk(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'depth 1' of a window in a group, whose memory is that of the next group in the same iteration, got 3}}
    %w = stencil.window shared %x depth 3 lead 1 group 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %p = stencil.access %a[1] : !temp
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @not_shared(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'group' on a shared window of a stencil.load only}}
    %w = stencil.window registers %x depth 1 lead 1 group 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %p = stencil.access %a[1] : !temp
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @delayed(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected no 'prefetch registers' of a window in a group: its plane comes when the group before is done}}
    %w = stencil.window shared %x depth 1 lead 1 group 0 prefetch registers : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %p = stencil.access %a[1] : !temp
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @negative(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a group of at least 0, got -1}}
    %w = stencil.window shared %x group -1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %p = stencil.access %a[1] : !temp
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

// What the pipeline says is not in its schedule.
!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @schedule(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a schedule without 'window', 'groups', 'accumulate', 'prefetch', 'stages', 'chain', 'step' and 'skew'}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<window = shared, groups = [2]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %p = stencil.access %a[1] : !temp
      stencil.return %p : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}
