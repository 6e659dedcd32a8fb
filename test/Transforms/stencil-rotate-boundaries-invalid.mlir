// RUN: stencil-opt %s --stencil-rotate-boundaries --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,10]x[-2,7]xf64>

func.func @mirrored(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note@+1 {{the boundary op is here}}
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.symmetric] : !field
    // expected-error@+1 {{expected a step of a loop whose halos it can store for 'boundary = store': a condition is not periodic}}
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
      %l = stencil.access %x[-1, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>

// The images of the halo that axis 0 keeps lie in the corners.
func.func @kept_first(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note@+1 {{the boundary op is here}}
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.keep, #stencil.periodic] : !field
    // expected-error@+1 {{expected a step of a loop whose halos it can store for 'boundary = store': the halo that an axis keeps has images along another one}}
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
      %l = stencil.access %x[0, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>

func.func @part(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note@+1 {{the boundary op is here}}
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    // expected-error@+1 {{expected a step of a loop whose halos it can store for 'boundary = store': what is stored to is not the box of the boundary}}
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
      %l = stencil.access %x[0, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [8, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!open = !stencil.field<[-1,?]x[-2,?]xf64>

func.func @extents(%a: !open, %b: !open, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!open, !open) {
    // expected-note@+1 {{the boundary op is here}}
    stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.periodic, #stencil.periodic] : !open
    // expected-error@+1 {{expected a step of a loop whose halos it can store for 'boundary = store': the extents are not known}}
    stencil.apply(%x = %u : !open) outs (%v : !open) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
      %l = stencil.access %x[-1, -2] : !open
      stencil.return %l : f64
    } to <[0, 0], [?, ?]>
    scf.yield %v, %u : !open, !open
  }
  return
}

// -----

!narrow = !stencil.field<[-1,10]x[-2,5]xf64>

func.func @narrow(%a: !narrow, %b: !narrow, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!narrow, !narrow) {
    // expected-note@+1 {{the boundary op is here}}
    stencil.boundary %u(<[0, 0], [9, 3]>) [#stencil.periodic, #stencil.periodic] : !narrow
    // expected-error@+1 {{expected a step of a loop whose halos it can store for 'boundary = store': the box is narrower than its halos}}
    stencil.apply(%x = %u : !narrow) outs (%v : !narrow) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
      %l = stencil.access %x[-1, -2] : !narrow
      stencil.return %l : f64
    } to <[0, 0], [9, 3]>
    scf.yield %v, %u : !narrow, !narrow
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>

func.func @two(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    // expected-note@+1 {{the boundary op is here}}
    stencil.boundary %a(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    // expected-error@+1 {{expected a step of a loop whose halos it can store for 'boundary = store': a step is not one apply behind its boundary ops}}
    stencil.apply(%x = %a : !field) outs (%b : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
      %l = stencil.access %x[0, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    stencil.apply(%x = %b : !field) outs (%a : !field) {
      %l = stencil.access %x[0, 0] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
  }
  return
}
