// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --verify-diagnostics

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @ahead(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a lead beyond plane p + 1, the newest that is read, for prefetch = tma, got 1}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @ahead_async(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a lead beyond plane p + 0, the newest that is read, for prefetch = async, got 0}}
    %w = stencil.window shared %x depth 2 lead 0 prefetch async : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @in_place(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    // expected-error@+1 {{has no lowering: neighbours are read of a field that the pipeline stores to}}
    %x = stencil.load %v : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @in_place_cache(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    // expected-error@+1 {{has no lowering: neighbours are read of a field that the pipeline stores to}}
    %x = stencil.load %v : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @in_place_tma(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 7], stream = 0>} {
    %x = stencil.load %v : !field -> !temp
    // expected-error@+1 {{expected tiles of a multiple of 4 points along axis 1 for prefetch = tma of a field that is stored to, got 7}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @extrapolated(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{has no lowering here: #stencil.extrapolate<2> takes each value from several points; run stencil-expand-boundaries}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [13, 30]>) [#stencil.extrapolate<1>, #stencil.extrapolate<2>] : !temp
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %s to %v(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @in_place(%u: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{has no lowering: a boundary of a field that the pipeline stores to}}
    %w = stencil.window shared %x depth 1 lead 0 boundary(<[0, 0], [13, 29]>) [#stencil.neumann, #stencil.neumann] : !temp
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %s to %u(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[0,?]xf32>
!temp = !stencil.temp<?xf32>

// A window of few points, and a halo without end.
func.func @far(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{has no ring: expected a box from -1048576 to 1048576 along axis 0, got}}
    %w = stencil.window shared %x boundary(<[0], [?]>) [#stencil.symmetric] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[4294967296] : !temp
      stencil.return %c : f32
    }
    stencil.store %r to %v(<[0], [?]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,14]x[-1,31]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @nothing_to_keep(%u: !field) {
  // expected-error@+1 {{expected an input that is apart from what is stored for 'eviction = last', got none}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<eviction = last>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %u(<[0, 0], [13, 30]>) : !temp to !field
  }
  return
}
