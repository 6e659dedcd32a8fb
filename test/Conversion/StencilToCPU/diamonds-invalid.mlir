// RUN: stencil-opt %s --convert-stencil-to-cpu --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @boundary(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %p = stencil.access %x[-1, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    // expected-error @+1 {{cannot take the steps of this loop in diamonds: expected a step of applies and pure scalar ops, got 'stencil.boundary'}}
    stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @far(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-error @+1 {{cannot take the steps of this loop in diamonds: a halo is made of points that are far from it}}
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.extrapolate<1>] : !field
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
func.func @stored(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-error @+1 {{cannot take the steps of this loop in diamonds: expected a boundary of a field that the loop carries}}
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

!row = !stencil.field<[-1,65]xf64>
func.func @row(%a: !row, %b: !row, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!row, !row) {
    // expected-error @+1 {{expected at least two axes, got 1}}
    stencil.apply(%x = %u : !row) outs (%v : !row) {
      %p = stencil.access %x[-1] : !row
      stencil.return %p : f64
    } to <[0], [64]>
    scf.yield %v, %u : !row, !row
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
func.func @twice(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-error @+1 {{expected one boundary of the field that the step before has stored to, on the same box}}
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep] : !field
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.keep, #stencil.neumann] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %p = stencil.access %x[-1, 0] : !field
      stencil.return %p : f64
    } to <[0, 0], [64, 64]>
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

// The halo of the state before the last is that of the step before, and would be there too early.

!field = !stencil.field<[-1,65]x[-1,65]xf64>
func.func @around_the_old(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b, %new = %c) -> (!field, !field, !field) {
    stencil.boundary %now(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    // expected-error @+1 {{it reads around a point what has a halo in another step}}
    stencil.apply(%x = %old : !field, %y = %now : !field) outs (%new : !field) {
      %p = stencil.access %x[-1, 0] : !field
      %q = stencil.access %y[0, 1] : !field
      %s = arith.addf %p, %q : f64
      stencil.return %s : f64
    } to <[0, 0], [64, 64]>
    scf.yield %now, %new, %old : !field, !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}
