// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-tile-registers --verify-diagnostics

// Stages that are no equal legs.

!field = !stencil.field<[-6,59]x[-6,127]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @count(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a multiple of 2 stages for 'relay = 2', got 1}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 1 : !temp
    %1 = stencil.apply(%t = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[1, 0] : !temp
      stencil.return %0 : f64
    }
    stencil.store %1 to %v(<[0, 0], [53, 121]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-6,59]x[-6,127]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @different(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 : !temp
    %1 = stencil.apply(%t = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %t[1, 0] : !temp
      stencil.return %0 : f64
    }
    %q = stencil.window shuffle %1 depth 3 lead 1 : !temp
    // expected-error@+1 {{expected a stage that computes the same as the one 1 before it, for 'relay = 2'}}
    %2 = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[1, 1] : !temp
      stencil.return %0 : f64
    }
    stencil.store %2 to %v(<[0, 0], [53, 121]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-6,59]x[-6,127]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @coordinate(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 : !temp
    %1 = stencil.apply(%t = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %i = stencil.index 0 <[0, 0]>
      %c = arith.constant 3 : index
      %l = arith.cmpi slt, %i, %c : index
      %0 = stencil.access %t[1, 0] : !temp
      %z = stencil.access %t[0, 0] : !temp
      %s = arith.select %l, %0, %z : f64
      stencil.return %s : f64
    }
    %q = stencil.window shuffle %1 depth 3 lead 1 : !temp
    // expected-error@+1 {{expected a stage that computes the same as the one 1 before it, for 'relay = 2'}}
    %2 = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %i = stencil.index 0 <[0, 0]>
      %c = arith.constant 4 : index
      %l = arith.cmpi slt, %i, %c : index
      %0 = stencil.access %t[1, 0] : !temp
      %z = stencil.access %t[0, 0] : !temp
      %s = arith.select %l, %0, %z : f64
      stencil.return %s : f64
    }
    stencil.store %2 to %v(<[0, 0], [53, 121]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-6,59]x[-6,127]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @boundary(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a shared window of the load, without a boundary but zeros around the field, and in no group, for 'relay'}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 boundary(<[-6, -6], [59, 127]>) [#stencil.dirichlet<1.0>, #stencil.dirichlet<0.0>] : !temp
    %1 = stencil.apply(%t = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %t[1, 0] : !temp
      stencil.return %0 : f64
    }
    %q = stencil.window shuffle %1 depth 3 lead 1 : !temp
    %2 = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[1, 0] : !temp
      stencil.return %0 : f64
    }
    stencil.store %2 to %v(<[0, 0], [53, 121]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-6,59]x[-6,127]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @loads(%u: !field, %v: !field, %k: !field) {
  // expected-error@+1 {{expected a walk over one load, plane by plane, with one store, for 'relay'}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %k : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 : !temp
    %1 = stencil.apply(%t = %w : !temp, %f = %y : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %t[1, 0] : !temp
      %z = stencil.access %f[0, 0] : !temp
      %s = arith.mulf %0, %z : f64
      stencil.return %s : f64
    }
    %q = stencil.window shuffle %1 depth 3 lead 1 : !temp
    %2 = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[1, 0] : !temp
      stencil.return %0 : f64
    }
    stencil.store %2 to %v(<[0, 0], [53, 121]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-6,59]x[-6,127]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @shared(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 3 lead 2 : !temp
    %1 = stencil.apply(%t = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %t[1, 0] : !temp
      stencil.return %0 : f64
    }
    // expected-error@+1 {{expected a shuffle window without 'exchange' for 'relay'}}
    %q = stencil.window shared %1 depth 3 lead 1 : !temp
    %2 = stencil.apply(%t = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %t[1, 0] : !temp
      stencil.return %0 : f64
    }
    stencil.store %2 to %v(<[0, 0], [53, 121]>) : !temp to !field
  }
  return
}

// -----

func.func @attribute(%a: !stencil.field<[0,64]xf64>, %b: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{expected 'stencil.any_order' as a unit on a stencil.accumulate only}}
  stencil.apply(%x = %a : !stencil.field<[0,64]xf64>) outs(%b : !stencil.field<[0,64]xf64>) attributes {stencil.any_order} {
    %c = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %c : f64
  } to <[0], [64]>
  return
}
