// RUN: stencil-opt %s --split-input-file --stencil-fold-boundaries --verify-diagnostics

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @extrapolates(%u: !field, %v: !field) {
  // expected-note@+1 {{the halo is filled here}}
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.keep | #stencil.extrapolate<1>, #stencil.neumann] : !field
  // expected-error@+1 {{expected 'boundary = kernel', got 'window': an extrapolation takes each value from several points}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %q = stencil.apply(%p = %w : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @without_window(%u: !field, %v: !field) {
  // expected-note@+1 {{the halo is filled here}}
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
  // expected-error@+1 {{expected 'boundary = kernel', got 'window': the field is read without a shared window, too}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %q = stencil.apply(%p = %x : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @in_place(%u: !field, %v: !field) {
  // expected-note@+1 {{the halo is filled here}}
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
  // expected-error@+1 {{expected 'boundary = kernel', got 'window': the pipeline stores to the field}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %q = stencil.apply(%p = %w : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %u(<[0, 0], [9, 5]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @between(%u: !field, %v: !field) {
  // expected-note@+1 {{the halo is filled here}}
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
  stencil.apply(%a = %u : !field) outs (%v : !field) {
    %l = stencil.access %a[-1, 0] : !field
    stencil.return %l : f64
  } to <[0, 0], [9, 5]>
  // expected-error@+1 {{expected 'boundary = kernel', got 'window': 'stencil.apply' uses the field before the pipeline}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %q = stencil.apply(%p = %w : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @twice(%u: !field, %v: !field) {
  // expected-note@+1 {{the halo is filled here}}
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
  // expected-error@+1 {{expected 'boundary = kernel', got 'window': a window has a boundary already}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x boundary(<[0, 0], [9, 5]>) [#stencil.neumann, #stencil.neumann] : !temp
    %q = stencil.apply(%p = %w : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @chosen(%u: !field, %v: !field, %w: !field, %c: i1) {
  %y = scf.if %c -> (!field) {
    scf.yield %u : !field
  } else {
    scf.yield %w : !field
  }
  // expected-note@+1 {{the halo is filled here}}
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
  // expected-error@+1 {{a field that may be the same is read as one with another box, or chosen at run time}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %z = stencil.load %y : !field -> !temp
    %a = stencil.window shared %x : !temp
    %b = stencil.window shared %z : !temp
    %q = stencil.apply(%p = %a : !temp, %o = %b : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      %r = stencil.access %o[1, 0] : !temp
      %s = arith.addf %l, %r : f64
      stencil.return %s : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
  }
  return
}
