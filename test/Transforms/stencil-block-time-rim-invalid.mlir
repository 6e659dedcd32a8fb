// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 2>' rim=at-once" --verify-diagnostics
// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 2>'" -o /dev/null

// What can be done step by step only.

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @mixed(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: it is periodic along some of the axes only}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // expected-note @+1 {{because of this}}
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, 1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @place(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: the step depends on where a point is, and the field is periodic}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [64]>) [#stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %i0 = stencil.index 0 <[0]>
      %c = arith.constant 8 : index
      %is = arith.cmpi slt, %i0, %c : index
      %y = stencil.access %x[0] : !temp
      %z = arith.select %is, %w, %y : f64
      stencil.return %z : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @coefficient(%a: !field, %b: !field, %k: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 2 steps of this loop at once: a step reads more than the state}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %d = stencil.load %k : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp, %c = %d : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %y = stencil.access %c[0] : !temp
      %z = arith.mulf %w, %y : f64
      stencil.return %z : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
