// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 2>' core-cache-bytes=1048576" --verify-diagnostics

!field = !stencil.field<[-1,5]xf64>
!temp = !stencil.temp<?xf64>

func.func @periodic(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: the interior has 4 points along axis 0, expected more than 4}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    stencil.boundary %now(<[0], [4]>) [#stencil.periodic] : !field
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [4]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @old_halo(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: it reads a halo that an earlier step has set}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    stencil.boundary %now(<[0], [64]>) [#stencil.neumann] : !field
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
    // expected-note @+1 {{because of this}}
      %p = stencil.access %y[1] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @computed(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: a step reads the state at computed coordinates, or all of a row}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %j = stencil.index 0 <[0]>
    // expected-note @+1 {{because of this}}
      %p = stencil.dyn_access %y[%j] in <[0]> : <[0]> : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @turns(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: its fields take turns in 3 steps, expected a number of steps of which that is a divisor}}
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b, %new = %c) -> (!field, !field, !field) {
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %new(<[0], [64]>) : !temp to !field
    scf.yield %now, %new, %old : !field, !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @twice(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: a step stores a value to two fields}}
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b, %new = %c) -> (!field, !field, !field) {
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [64]>) : !temp to !field
    // expected-note @+1 {{because of this}}
    stencil.store %s to %new(<[0], [64]>) : !temp to !field
    scf.yield %now, %old, %new : !field, !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @loaded(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: a step stores what no apply of it has made}}
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b, %new = %c) -> (!field, !field, !field) {
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [64]>) : !temp to !field
    // expected-note @+1 {{because of this}}
    stencil.store %t to %new(<[0], [64]>) : !temp to !field
    scf.yield %now, %old, %new : !field, !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @outside(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %o = stencil.load %c : !field -> !temp
  // expected-error @+1 {{cannot take 2 steps of this loop at once: input 1 of the step is a value of outside of the loop}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    %t = stencil.load %now : !field -> !temp
    %h = stencil.load %old : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    %q = stencil.apply(%x = %s : !temp, %y = %h : !temp) -> (!temp) {
      %v = stencil.access %x[0] : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %v, %p : f64
      stencil.return %e : f64
    }
    stencil.store %q to %old(<[0], [64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @both_ways(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: a value is read around a point both as it is and with the halo of its field}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [64]>) : !temp to !field
    %h = stencil.load %old : !field -> !temp
    %q = stencil.apply(%x = %s : !temp, %y = %h : !temp) -> (!temp) {
      %v = stencil.access %x[-1] : !temp
    // expected-note @+1 {{because of this}}
      %p = stencil.access %y[1] : !temp
      %e = arith.subf %v, %p : f64
      stencil.return %e : f64
    }
    stencil.store %q to %now(<[0], [64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @point(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: a step reads one point}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.access %x[0] : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----
// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 2>' core-cache-bytes=1048576" --verify-diagnostics

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @overwritten(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: what is near a boundary cannot be computed step by step: a step is stored over a state that is read around other points}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    stencil.boundary %now(<[0], [64]>) [#stencil.periodic] : !field
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %now(<[0], [64]>) : !temp to !field
    scf.yield %old, %now : !field, !field
  }
  return
}
