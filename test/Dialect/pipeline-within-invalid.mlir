// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @of_a_load(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected 'stencil.within' on a stencil.window of what a stage makes, without a boundary, only}}
    %w = stencil.window shared %x attributes {stencil.within = #stencil.bounds<[0, 0], [9, 6]>} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @with_a_boundary(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected 'stencil.within' on a stencil.window of what a stage makes, without a boundary, only}}
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.neumann, #stencil.neumann] attributes {stencil.within = #stencil.bounds<[0, 0], [9, 6]>} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @rank(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected a #stencil.bounds of 2 axes as 'stencil.within', got #stencil.bounds<[0], [9]>}}
    %w = stencil.window shared %s attributes {stencil.within = #stencil.bounds<[0], [9]>} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @ends(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected the ends of the box of the stores, #stencil.bounds<[0, 0], [8, 6]>, on axis 0, where its readers reach beyond the box, got #stencil.bounds<[0, 0], [9, 6]>}}
    %w = stencil.window shared %s attributes {stencil.within = #stencil.bounds<[0, 0], [9, 6]>} : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [8, 6]>) : !temp to !field
  }
  return
}
