// RUN: stencil-opt %s --split-input-file --stencil-block-time="core-cache-bytes=1048576" --verify-diagnostics

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @polynomial(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a halo is extrapolated}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note @+1 {{because of this}}
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.dirichlet<0.0>, #stencil.extrapolate<1>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @behind(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a halo changes from step to step, at another place than before the state is read}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    // expected-note @+1 {{because of this}}
    stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @row(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{expected at least two axes, got one}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[1] : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @chain(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a step computes a value that it does not store}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    %s = stencil.apply(%x = %m : !temp) -> (!temp) {
      %w = stencil.access %x[1, 0] : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @no_time_loop(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take the steps of this loop in diamonds: }}
  scf.for %i = %zero to %n step %one {
    %t = stencil.load %a : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.fold %t(<[0, 0], [64, 64]>) sum : !temp
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @around_the_old(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a step reads around a point what has a halo in another step}}
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b, %new = %c) -> (!field, !field, !field) {
    // expected-note @+1 {{because of this}}
    stencil.boundary %now(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    %s = stencil.load %old : !field -> !temp
    %t = stencil.load %now : !field -> !temp
    %r = stencil.apply(%x = %s : !temp, %y = %t : !temp) -> (!temp) {
      %p = stencil.access %x[-1, 0] : !temp
      %q = stencil.access %y[0, 1] : !temp
      %w = arith.addf %p, %q : f64
      stencil.return %w : f64
    }
    stencil.store %r to %new(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %now, %new, %old : !field, !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @twice(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a field has several halos that change from step to step}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note @+1 {{because of this}}
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep] : !field
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.keep, #stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @in_place(%a: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take the steps of this loop in diamonds: a halo changes from step to step, of a field that no other one becomes}}
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %a) -> (!field) {
    // expected-note @+1 {{because of this}}
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 0] : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %u(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %u : !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}
