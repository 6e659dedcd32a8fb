// RUN: stencil-opt %s --split-input-file --stencil-block-time="core-cache-bytes=1048576" --verify-diagnostics

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>

func.func @row(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a step over a row computes what it does not store}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[1] : !temp
      stencil.return %w : f64
    }
    %k = stencil.buffer %m : !temp -> !temp
    %s = stencil.apply(%x = %k : !temp) -> (!temp) {
      %w = stencil.access %x[-1] : !temp
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

func.func @in_place(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a step stores to a field from which neighbours compute what it does not store}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    %s = stencil.apply(%x = %m : !temp) -> (!temp) {
      %w = stencil.access %x[1, 0] : !temp
      stencil.return %w : f64
    }
    // expected-note @+1 {{because of this}}
    stencil.store %s to %u(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @overwritten(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a field changes between where it is loaded and where what is computed of it is stored}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note @+1 {{because of this}}
    %t = stencil.load %u : !field -> !temp
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    %z = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 0] : !temp
      stencil.return %w : f64
    }
    stencil.store %z to %u(<[0, 0], [64, 64]>) : !temp to !field
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

func.func @computed(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a step reads the state at computed coordinates, or all of a row}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    %k = stencil.buffer %m : !temp -> !temp
    %s = stencil.apply(%x = %k : !temp) -> (!temp) {
      %p = stencil.index 0 <[0, 0]>
      %q = stencil.index 1 <[0, 0]>
      // expected-note @+1 {{because of this}}
      %w = stencil.dyn_access %x[%p, %q] in <[0, 0]> : <[0, 0]> : !temp
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

func.func @combined(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a step computes a value that is neither stored nor read by an apply}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    %k = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 0] : !temp
      stencil.return %w : f64
    }
    %c = stencil.combine 0 at 32 lower = (%m : !temp) upper = (%k : !temp) : !temp
    stencil.store %c to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @put_together(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{a value that is put together from others, or is of before the loop, is read beside one that a step does not store}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %c = stencil.combine 0 at 32 lower = (%t : !temp) upper = (%t : !temp) : !temp
    %m = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      stencil.return %w : f64
    }
    %k = stencil.buffer %m : !temp -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %k : !temp, %y = %c : !temp) -> (!temp) {
      %w = stencil.access %x[0, 1] : !temp
      %z = stencil.access %y[0, 0] : !temp
      %e = arith.addf %w, %z : f64
      stencil.return %e : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  } {stencil.diamonds = #stencil.diamonds<steps = 7>}
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @before(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-note @+1 {{because of this}}
  %t = stencil.load %a : !field -> !temp
  // expected-error @+1 {{a value of before the loop is read of a field that it stores to}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
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
