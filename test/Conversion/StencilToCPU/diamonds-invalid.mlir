// RUN: stencil-opt %s --convert-stencil-to-cpu --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @stored(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-error @+1 {{cannot take the steps of this loop in diamonds: expected a boundary of a field that the loop carries, on the box of the applies}}
    stencil.boundary %a(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %p = stencil.access %x[-1, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>
func.func @boxes(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    stencil.apply(%x = %a : !field) outs (%b : !field) {
      %p = stencil.access %x[0, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    // expected-error @+1 {{expected all applies of a step on one box}}
    stencil.apply(%x = %b : !field) outs (%a : !field) {
      %p = stencil.access %x[0, 0] : !field
      stencil.return %p : f64
    } to <[1, 1], [64, 64]>
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>
func.func @number(%a: !field, %b: !field, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @+1 {{expected it to count in numbers of type index, with sign}}
  scf.for %i = %zero to %n step %one : i32 {
    stencil.apply(%x = %a : !field) outs (%b : !field) {
      %p = stencil.access %x[0, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

func.func @nothing(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{it has no stencil.apply}}
  scf.for %i = %zero to %n step %one {
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>
func.func @sum(%a: !field, %b: !field, %n: index, %s: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{expected it to carry fields, and to yield them in another order}}
  %r = scf.for %i = %zero to %n step %one iter_args(%c = %s) -> (f64) {
    %d = arith.addf %c, %c : f64
    stencil.apply(%x = %a : !field) outs (%b : !field) {
      %p = stencil.access %x[0, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    scf.yield %d : f64
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return %r : f64
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @inner_box(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-error @+1 {{expected a boundary of a field that the loop carries, on the box of the applies}}
    stencil.boundary %u(<[1, 1], [63, 63]>) [#stencil.neumann, #stencil.neumann] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %p = stencil.access %x[-1, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @boundary_of_a_stage(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-error @+1 {{cannot take the steps of this loop in diamonds: expected stages without boundaries, that are either stored or read by others}}
    stencil.pipeline axis 0 {
      %x = stencil.load %u : !field -> !temp
      %m = stencil.apply(%p = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
        %0 = stencil.access %p[0, 1] : !temp
        stencil.return %0 : f64
      }
      %w = stencil.window shared %m depth 2 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !temp
      %o = stencil.apply(%p = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %0 = stencil.access %p[1, 0] : !temp
        stencil.return %0 : f64
      }
      stencil.store %o to %v(<[0, 0], [64, 64]>) : !temp to !field
    }
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}
