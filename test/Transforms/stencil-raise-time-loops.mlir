// RUN: stencil-opt %s --stencil-raise-time-loops | FileCheck %s
// RUN: stencil-opt %s --stencil-raise-time-loops --stencil-raise-time-loops | FileCheck %s
// RUN: stencil-opt %examples/heat3d.mlir --stencil-raise-time-loops | FileCheck %s --check-prefix=HEAT3D
// RUN: stencil-opt %examples/acoustic25.mlir --stencil-raise-time-loops | FileCheck %s --check-prefix=ACOUSTIC
// RUN: stencil-opt %examples/wave2d.mlir --stencil-raise-time-loops | FileCheck %s --check-prefix=WAVE
// RUN: stencil-opt %examples/hdiff.mlir --stencil-raise-time-loops | FileCheck %s --check-prefix=HDIFF

// HEAT3D: #stencil.time_loop<interior = <[0, 0, 0], [48, 65, 81]>, lower = <[-1, -1, -1]>, upper = <[1, 1, 1]>, buffers = 2, levels = 1, stages = 1, period = 2>
// ACOUSTIC: lower = <[-4, -4, -4]>, upper = <[4, 4, 4]>, buffers = 2, levels = 2, stages = 1, period = 2>
// WAVE: lower = <[-1, -1]>, upper = <[1, 1]>, buffers = 2, levels = 2, stages = 1, period = 2, step_dependent = true>
// Through three applies, at no other level:
// HDIFF: lower = <[0, -2, -2]>, upper = <[0, 2, 2]>, buffers = 2, levels = 1, stages = 1, period = 2>

!field = !stencil.field<[-2,?+2]xf64>
!temp = !stencil.temp<?xf64>

// Three buffers: u(n+1) in one of its own.

// CHECK-LABEL: func @three
// CHECK: lower = <[-1]>, upper = <[0]>, buffers = 3, levels = 2, stages = 1, period = 3>
func.func @three(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b, %new = %c) -> (!field, !field, !field) {
    %to = stencil.load %old : !field -> !temp
    %tn = stencil.load %now : !field -> !temp
    %v = stencil.apply(%x = %to : !temp, %y = %tn : !temp) -> (!temp) {
      %p = stencil.access %x[0] : !temp
      %q = stencil.access %y[-1] : !temp
      %s = arith.subf %q, %p : f64
      stencil.return %s : f64
    }
    stencil.store %v to %new(<[0], [?]>) : !temp to !field
    scf.yield %now, %new, %old : !field, !field, !field
  }
  return
}

// Two substeps, the first to a field of its own; the coefficients stay.

// CHECK-LABEL: func @substeps
// CHECK: lower = <[-2]>, upper = <[2]>, buffers = 2, levels = 1, stages = 2, period = 2>
func.func @substeps(%a: !field, %b: !field, %half: !field, %k: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %h = %half, %v = %b) -> (!field, !field, !field) {
    stencil.boundary %u(<[0], [?]>) [#stencil.periodic] : !field
    %tu = stencil.load %u : !field -> !temp
    %tk = stencil.load %k : !field -> !temp
    %first = stencil.apply(%x = %tu : !temp, %c = %tk : !temp) -> (!temp) {
      %d = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !stencil.temp<?xf64>
      %far = stencil.access %c[2] : !temp
      %s = arith.mulf %d, %far : f64
      stencil.return %s : f64
    }
    stencil.store %first to %h(<[0], [?]>) : !temp to !field
    stencil.boundary %h(<[0], [?]>) [#stencil.periodic] : !field
    %th = stencil.load %h : !field -> !temp
    %second = stencil.apply(%x = %tu : !temp, %y = %th : !temp) -> (!temp) {
      %d = stencil.weighted_sum %y offsets [[-1], [1]] weights dense<[-1.0, 1.0]> : tensor<2xf64> : !stencil.temp<?xf64>
      %e = stencil.access %x[0] : !temp
      %s = arith.addf %d, %e : f64
      stencil.return %s : f64
    }
    stencil.store %second to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %h, %u : !field, !field, !field
  }
  return
}

// In place; what an earlier analysis said is replaced.

// CHECK-LABEL: func @inplace
// CHECK: buffers = 1, levels = 1, stages = 1, period = 1>
// CHECK-NOT: period = 7
func.func @inplace(%a: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %a) -> (!field) {
    %t = stencil.load %u : !field -> !temp
    %v = stencil.apply(%x = %t : !temp) -> (!temp) {
      %q = stencil.access %x[-1] : !temp
      stencil.return %q : f64
    }
    stencil.store %v to %u(<[0], [?]>) : !temp to !field
    scf.yield %u : !field
  } {stencil.time_loop = #stencil.time_loop<interior = <[0], [?]>, lower = <[0]>, upper = <[0]>, buffers = 1, levels = 1, stages = 1, period = 7>}
  return
}
