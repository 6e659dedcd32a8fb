// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @beyond(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-note@-2 {{for what is stored on #stencil.bounds<[0, 0], [64, 64]> here}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      // expected-error@+1 {{accesses [2,66) of axis 1, expected to stay in }}
      %c = stencil.access %a[0, 2] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @beyond_window(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-note@-2 {{for what is stored on #stencil.bounds<[0, 0], [64, 64]> here}}
    // expected-error@+1 {{accesses [-2,62) of axis 0, expected to stay in }}
    %w = stencil.window shared %x depth 3 lead 1 : !temp
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window registers %s depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @depth(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a depth from 1 to 1024, got 0}}
    %w = stencil.window shared %x depth 0 lead 0 : !temp
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

func.func @deep(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a depth from 1 to 1024, got 1025}}
    %w = stencil.window shared %x depth 1025 lead 0 : !temp
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

func.func @window_lead(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a lead of at most 1024 planes, got -9223372036854775808}}
    %w = stencil.window shared %x depth 1 lead -9223372036854775808 : !temp
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

func.func @lead_without_axis(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected neither 'depth' nor 'lead' in a pipeline without an axis}}
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
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

func.func @copy_to_shared(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    // expected-error@+1 {{expected a copy from a shared window to registers, got one from 'shared' to 'shared'}}
    %q = stencil.window shared %w depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
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

func.func @copy_of_registers(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window registers %x depth 1 lead 0 : !temp
    // expected-error@+1 {{expected a copy from a shared window to registers, got one from 'registers' to 'shuffle'}}
    %q = stencil.window shuffle %w depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
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

func.func @prefetch_registers(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'prefetch' on a shared window of a stencil.load only}}
    %w = stencil.window registers %x depth 1 lead 0 prefetch tma : !temp
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

func.func @prefetch_stage(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected 'prefetch' on a shared window of a stencil.load only}}
    %w = stencil.window shared %s depth 1 lead 0 prefetch async : !temp
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

func.func @prefetch_unread(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected 'prefetch' on a shared window of a stencil.load only}}
    %w = stencil.window shared %r depth 1 lead 0 prefetch async : !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @prefetch_without_axis(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected an axis of the pipeline for 'prefetch registers', which is one iteration ahead}}
    %w = stencil.window shared %x prefetch registers : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
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

func.func @window_of_stage_lead(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-note@+1 {{what it reads is made here}}
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected the lead of the stage that makes what it reads, 1, got 0}}
    %w = stencil.window shared %s depth 1 lead 0 : !temp
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

func.func @copy_too_late(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-note@+1 {{what it reads is made here}}
    %w = stencil.window shared %x depth 2 lead 2 : !temp
    // expected-error@+1 {{reads plane p + 0, which a window of depth 2 and lead 2 has lost: the oldest one is p + 1}}
    %q = stencil.window registers %w depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
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

func.func @dynamic(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %i = stencil.index 0 <[0, 0]>
      // expected-error@+1 {{expected to read a load: a window is not read at computed coordinates}}
      %c = stencil.dyn_access %a[%i, %i] in <[0, 0]> : <[0, 0]> : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
!row = !stencil.field<[0,64]xf64>
!line = !stencil.temp<?xf64>

func.func @lower_rank_window(%u: !row, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !row -> !line
    // expected-error@+1 {{expected a value of rank 2, as the stores have, got }}
    %w = stencil.window shared %x depth 1 lead 0 : !line
    %r = stencil.apply(%a = %w : !line) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[_, 0] : !line
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

func.func @alone(%x: !stencil.temp<?xf64>) {
  // expected-error@+1 {{'stencil.window' op expects parent op 'stencil.pipeline'}}
  %w = stencil.window shared %x : !stencil.temp<?xf64>
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @stage_lead(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a lead of at most 1024 planes, got -1025}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = -1025>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @prefetch_l2(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected no 'prefetch l2': a shared window is what planes are fetched into}}
    %w = stencil.window shared %x prefetch l2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
