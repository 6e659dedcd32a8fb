// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @accumulate_without_axis(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected a pipeline with an axis}}
    %s = stencil.accumulate %r at [0] : !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @no_terms(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected 1 or more operands, but found 0}}
    %s = "stencil.accumulate"() <{planes = array<i64>}> : () -> !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @planes(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected as many planes as terms, 1, got 2}}
    %s = stencil.accumulate %r at [0, 1] : !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @far_planes(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected planes at a distance of at most 1024, got 9223372036854775807}}
    %s = stencil.accumulate %r at [9223372036854775807] : !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @terms(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected terms of stages of one lead, got leads 0 and 1}}
    %s = stencil.accumulate %q, %r at [-1, 0] : !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @term_of_load(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected terms that are results of stages of the pipeline, got }}
    %s = stencil.accumulate %x at [0] : !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xi1>
!temp = !stencil.temp<?x?xi1>

func.func @bits(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : i1
    }
    // expected-error@+1 {{expected floats, or integers of more than one bit, got }}
    %s = stencil.accumulate %r at [0] : !temp
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @incomplete(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %t:2 = stencil.apply(%a = %x : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c, %c : f64, f64
    }
    %r = stencil.accumulate %t#0, %t#1 at [0, 1] : !temp
    // expected-error@+1 {{expected no negative lead of what is stored, got -1}}
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
