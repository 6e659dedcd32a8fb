// What 'exchange' of a window cannot be.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,9]x[-1,9]x[-1,9]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @of_load(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected 'exchange' on a shuffle window of what a stage makes only}}
    %w = stencil.window shuffle %x depth 1 lead 0 exchange [1] : !temp
    stencil.store %w to %v(<[0, 0, 0], [8, 8, 8]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,9]x[-1,9]x[-1,9]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @of_rows(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected 'exchange' to name axis 1, the one before the last, got array<i64: 2>}}
    %w = stencil.window shuffle %s depth 1 lead 0 exchange [2] : !temp
    stencil.store %w to %v(<[0, 0, 0], [8, 8, 8]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,9]x[-1,9]x[-1,9]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @along_walk(%u: !field, %v: !field) {
  stencil.pipeline axis 1 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected a pipeline with another axis than 1, the one before the last, for 'exchange'}}
    %w = stencil.window shuffle %s depth 1 lead 0 exchange [1] : !temp
    stencil.store %w to %v(<[0, 0, 0], [8, 8, 8]>) : !temp to !field
  }
  return
}
