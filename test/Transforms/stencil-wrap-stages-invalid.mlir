// RUN: stencil-opt %s --split-input-file --stencil-wrap-stages --verify-diagnostics

!field = !stencil.field<[-2,11]x[-2,8]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @kept_before(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no lowering here: expected no side that keeps what does not repeat, on axis 0, before a periodic one, axis 1}}
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.keep, #stencil.periodic] keep %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,11]x[-2,8]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @another_boundary(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-note@+1 {{it reads this}}
    %p = stencil.window shared %x boundary(<[0, 0], [9, 6]>) [#stencil.neumann, #stencil.neumann] : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no lowering here: what a stage makes around a periodic box is computed there, but along axis 0, it reads beyond another boundary}}
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,11]x[-2,8]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @kept_corner(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-note@+1 {{it reads this}}
    %p = stencil.window shared %x boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.keep] : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 1] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no lowering here: what a stage makes around a periodic box is computed there, but it reads what a side keeps, which does not repeat along axis 0}}
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

// The extent of a line is that of axis 0.
!field = !stencil.field<[-2,?+2]x[-2,?+2]xf64>
!line = !stencil.field<[-2,?+2]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @open_line(%u: !field, %k: !line, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // expected-note@+1 {{it reads this}}
    %y = stencil.load %k : !line -> !stencil.temp<?xf64>
    %s = stencil.apply(%a = %x : !temp, %b = %y : !stencil.temp<?xf64>) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      %d = stencil.access %b[_, 0] : !stencil.temp<?xf64>
      %e = arith.mulf %c, %d : f64
      stencil.return %e : f64
    }
    // expected-error@+1 {{has no lowering here: what a stage makes around a periodic box is computed there, but it reads a field that has not all axes, of an extent that is not known}}
    %w = stencil.window shared %s boundary(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,11]xf64>
!temp = !stencil.temp<?xf64>
func.func @computed_points(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %i = stencil.index 0 <[0]>
      // expected-note@+1 {{it reads this}}
      %c = stencil.dyn_access %a[%i] in <[0]> : <[0]> : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no lowering here: what a stage makes around a periodic box is computed there, but it reads what is not next to its points}}
    %w = stencil.window shared %s boundary(<[0], [9]>) [#stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [9]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,11]xf64>
!temp = !stencil.temp<?xf64>
func.func @within(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0] : !temp
      stencil.return %c : f64
    }
    // expected-note@+1 {{it reads this}}
    %q = stencil.window shared %t attributes {stencil.within = #stencil.bounds<[0], [9]>} : !temp
    %s = stencil.apply(%a = %q : !temp) -> (!temp) {
      %c = stencil.access %a[1] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no lowering here: what a stage makes around a periodic box is computed there, but it reads a window that has no values beyond its box}}
    %w = stencil.window shared %s boundary(<[0], [9]>) [#stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [9]>) : !temp to !field
  }
  return
}
