// RUN: stencil-opt %s --split-input-file --stencil-block-time="core-cache-bytes=1048576" --verify-diagnostics

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
