// RUN: stencil-opt %s --split-input-file --verify-diagnostics

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @without_an_axis(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'stencil.inner' on a stencil.pipeline with an axis only}}
  stencil.pipeline attributes {stencil.inner = #stencil.bounds<[1, 0], [9, 6]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @of_another_rank(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a box of 2 axes as 'stencil.inner', got #stencil.bounds<[1], [9]>}}
  stencil.pipeline axis 0 attributes {stencil.inner = #stencil.bounds<[1], [9]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @no_box(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a #stencil.bounds as 'stencil.inner', got 1 : i64}}
  stencil.pipeline axis 0 attributes {stencil.inner = 1} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// -----

func.func @elsewhere(%a: f64) -> f64 {
  // expected-error@+1 {{expected 'stencil.inner' on a stencil.pipeline with an axis only}}
  %b = arith.negf %a {stencil.inner = #stencil.bounds<[1], [9]>} : f64
  return %b : f64
}
