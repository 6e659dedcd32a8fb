// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @registers(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'boundary' on a shared window of a stencil.load, or of what a stage makes, only}}
    %w = stencil.window registers %x depth 1 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @rank(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected bounds of rank 2, got #stencil.bounds<[0], [64]>}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0], [64]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @too_few(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a lower and an upper condition for each of 2 axes, got 2 conditions}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @half_periodic(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a periodic condition on both sides of axis 1 or on none}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann | #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xi32>
!out = !stencil.field<[-1,65]x[-1,65]xi32>
!temp = !stencil.temp<?x?xi32>

func.func @value(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected an integer value for a field of 'i32', got #stencil.dirichlet<5.000000e-01 : f64>}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.dirichlet<0.5>] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : i32
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @no_conditions(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected both a box and conditions of a boundary, or none}}
    %w = "stencil.window"(%x) {space = 0 : i32, depth = 1 : index, lead = 0 : index, bounds = #stencil.bounds<[0, 0], [64, 64]>} : (!temp) -> !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @outside(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected the box #stencil.bounds<[0, 0], [64, 66]> to lie in the field}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [64, 66]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @narrow(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected at least 65 interior points on axis 1 for #stencil.symmetric with a halo of 64, got 64}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep | #stencil.symmetric] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 64] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,?+1]xf64>
!out = !stencil.field<[-1,65]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @mixed(%u: !field, %v: !out) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a halo of constant width on axis 1}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, ?]>) : !temp to !out
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!out = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @kept(%u: !field, %v: !out) {
  // expected-note@+1 {{for what is stored on #stencil.bounds<[0, 0], [64, 64]> here}}
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{accesses [2,66) of axis 1, expected to stay in }}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.keep] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 2] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !out
  }
  return
}
