// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic --remarks-filter=Steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Nothing is known of the speed of these.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=gfx942 --stencil-block-time=automatic | FileCheck %s --check-prefix=NOT
// NOT-NOT: stencil.steps

// A volume of which a coefficient is read at the point: a walk without a rim.

// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="{{[34]}} steps at once
// CHECK-LABEL: func @coefficient
// CHECK: stencil.pipeline
// CHECK: stencil.window shared {{.*}} prefetch tma
// CHECK: scf.for
// CHECK-NOT: stencil.pipeline
// CHECK: return

!volume = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @coefficient(%a: !volume, %b: !volume, %k: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    stencil.boundary %u(<[0, 0, 0], [512, 512, 512]>) [#stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>] : !volume
    %t = stencil.load %u : !volume -> !temp
    %c = stencil.load %k : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, 0, -1], [0, -1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]] weights dense<[0.1, 0.12, 0.2, 0.05, 0.15, 0.17, 0.13]> : tensor<7xf64> : !temp
      %m = stencil.access %y[0, 0, 0] : !temp
      %p = arith.mulf %w, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}

// -----

// Two of them, and one that is read around the point, were not measured.

// REMARK: Remark="steps are taken one by one: it reads more than the state"
// REMARK: Remark="steps are taken one by one: it reads more than the state"
// CHECK-LABEL: func @coefficients
// CHECK-NOT: stencil.pipeline

!volume = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?x?xf64>
func.func @coefficients(%a: !volume, %b: !volume, %k: !volume, %l: !volume, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !temp
    %c = stencil.load %k : !volume -> !temp
    %d = stencil.load %l : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp, %z = %d : !temp) -> (!temp) {
      %w = stencil.access %x[1, 0, 0] : !temp
      %m = stencil.access %y[0, 0, 0] : !temp
      %l = stencil.access %z[0, 0, 0] : !temp
      %p = arith.mulf %w, %m : f64
      %q = arith.addf %p, %l : f64
      stencil.return %q : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  %q:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !temp
    %c = stencil.load %k : !volume -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) {
      %w = stencil.access %x[1, 0, 0] : !temp
      %m = stencil.access %y[0, 1, 0] : !temp
      %p = arith.mulf %w, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !volume
    scf.yield %v, %u : !volume, !volume
  }
  return
}

// -----

// A number that the function is given is no field: steps of one state are legs.

// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="16 steps at once
// CHECK-LABEL: func @number
// CHECK: stencil.steps = 16 : i64

!plane = !stencil.field<[-1,8193]x[-1,8193]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @number(%a: !plane, %b: !plane, %k: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %k : f64) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.3, 0.15, 0.22]> : tensor<5xf64> : !temp
      %p = arith.mulf %w, %y : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0], [8192, 8192]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}

// -----

// Two substances that react, and what is updated in place by two applies, of
// which one has two results.

// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="9 steps at once, of several states"
// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="9 steps at once, of several states"
// CHECK-LABEL: func @reaction
// CHECK: stencil.steps = 9 : i64
// CHECK-LABEL: func @in_place
// CHECK: stencil.steps = 9 : i64

!plane = !stencil.field<[-1,4097]x[-1,4097]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @reaction(%a: !plane, %b: !plane, %c: !plane, %d: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:4 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b, %un = %c, %vn = %d) -> (!plane, !plane, !plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.load %v : !plane -> !temp
    %q:2 = stencil.apply(%x = %t : !temp, %y = %s : !temp) -> (!temp, !temp) {
      %x0 = stencil.access %x[0, 0] : !temp
      %x1 = stencil.access %x[1, 0] : !temp
      %y0 = stencil.access %y[0, 0] : !temp
      %y1 = stencil.access %y[0, 1] : !temp
      %m = arith.mulf %x0, %y0 : f64
      %p = arith.addf %m, %x1 : f64
      %q = arith.subf %y1, %m : f64
      stencil.return %p, %q : f64, f64
    }
    stencil.store %q#0 to %un(<[0, 0], [4096, 4096]>) : !temp to !plane
    stencil.store %q#1 to %vn(<[0, 0], [4096, 4096]>) : !temp to !plane
    scf.yield %un, %vn, %u, %v : !plane, !plane, !plane, !plane
  }
  return
}
func.func @in_place(%a: !plane, %b: !plane, %c: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %t = stencil.load %a : !plane -> !temp
    %x = stencil.load %b : !plane -> !temp
    %y = stencil.load %c : !plane -> !temp
    %h:2 = stencil.apply(%e = %t : !temp, %p = %x : !temp, %q = %y : !temp) -> (!temp, !temp) {
      %e0 = stencil.access %e[0, 0] : !temp
      %e1 = stencil.access %e[0, 1] : !temp
      %e2 = stencil.access %e[1, 0] : !temp
      %p0 = stencil.access %p[0, 0] : !temp
      %q0 = stencil.access %q[0, 0] : !temp
      %d = arith.subf %e0, %e1 : f64
      %f = arith.subf %e2, %e0 : f64
      %r = arith.addf %p0, %d : f64
      %s = arith.addf %q0, %f : f64
      stencil.return %r, %s : f64, f64
    }
    stencil.store %h#0 to %b(<[0, 0], [4096, 4096]>) : !temp to !plane
    stencil.store %h#1 to %c(<[0, 0], [4096, 4096]>) : !temp to !plane
    %v = stencil.load %b : !plane -> !temp
    %w = stencil.load %c : !plane -> !temp
    %s = stencil.apply(%e = %t : !temp, %p = %v : !temp, %q = %w : !temp) -> (!temp) {
      %e0 = stencil.access %e[0, 0] : !temp
      %p1 = stencil.access %p[0, -1] : !temp
      %q1 = stencil.access %q[-1, 0] : !temp
      %d = arith.subf %p1, %q1 : f64
      %r = arith.addf %e0, %d : f64
      stencil.return %r : f64
    }
    stencil.store %s to %a(<[0, 0], [4096, 4096]>) : !temp to !plane
  }
  return
}

// -----

// Volumes, and what divides, were not measured or were slower.

// REMARK: Remark="steps are taken one by one: several states were measured in planes only"
// REMARK: Remark="steps are taken one by one: it divides, or calls functions"
// REMARK-NOT: Remark=
// CHECK-LABEL: func @not_measured
// CHECK-NOT: stencil.steps

!volume = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!plane = !stencil.field<[-1,4097]x[-1,4097]xf64>
!value = !stencil.temp<?x?x?xf64>
!temp = !stencil.temp<?x?xf64>
func.func @not_measured(%a: !volume, %b: !volume, %c: !plane, %d: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!volume, !volume) {
    %t = stencil.load %u : !volume -> !value
    %o = stencil.load %v : !volume -> !value
    %s = stencil.apply(%x = %t : !value, %y = %o : !value) -> (!value) {
      %w = stencil.access %x[1, 0, 0] : !value
      %m = stencil.access %y[0, 0, 0] : !value
      %p = arith.subf %w, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !value to !volume
    scf.yield %v, %u : !volume, !volume
  }
  %q:2 = scf.for %i = %zero to %n step %one iter_args(%u = %c, %v = %d) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %o = stencil.load %v : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) {
      %w = stencil.access %x[1, 0] : !temp
      %m = stencil.access %y[0, 0] : !temp
      %p = arith.divf %w, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0], [4096, 4096]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}
