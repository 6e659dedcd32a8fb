// REQUIRES: python
// RUN: stencil-opt %s --stencil-hoist-boundaries --remarks-filter=Boundaries 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: stencil-opt %s --stencil-hoist-boundaries -o %t.mlir
// What all fields hold in the end, halos included, for each number of steps.
// RUN: %python %S/Inputs/same-after-steps.py stencil-run leapfrog %s %t.mlir %t 0 1 2 3 4 7

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

// Three buffers take turns. The one that comes in as %c is the first whose
// halo is filled, the one of %b the last.
// REMARK: fills the constant halos of 1 boundary ops once, before the loop
// CHECK-LABEL: func.func @leapfrog
// CHECK-SAME: %[[A:.*]]: !stencil.field{{.*}}, %[[B:.*]]: !stencil.field{{.*}}, %[[C:.*]]: !stencil.field{{.*}}, %[[N:.*]]: index
// CHECK: %[[HAS1:.*]] = arith.cmpi slt, %c1{{.*}}, %{{.*}}
// CHECK: scf.if %[[HAS1]] {
// CHECK-NEXT: stencil.boundary %[[A]](<[0, 0], [9, 5]>) [#stencil.keep | #stencil.dirichlet<2.000000e+00 : f64>, #stencil.keep]
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[HAS2:.*]] = arith.cmpi slt, %[[TWO]], %{{.*}}
// CHECK: scf.if %[[HAS2]] {
// CHECK-NEXT: stencil.boundary %[[B]](
// CHECK: scf.if
// CHECK-NEXT: stencil.boundary %[[C]](
// CHECK: scf.for
// CHECK-NEXT: stencil.boundary %{{.*}}(<[0, 0], [9, 5]>) [#stencil.neumann | #stencil.keep, #stencil.antisymmetric]
func.func @leapfrog(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%next = %a, %old = %b, %now = %c) -> (!field, !field, !field) {
    stencil.boundary %now(<[0, 0], [9, 5]>) [#stencil.neumann | #stencil.dirichlet<2.0>, #stencil.antisymmetric] : !field
    %o = stencil.load %old : !field -> !temp
    %u = stencil.load %now : !field -> !temp
    %q = stencil.apply(%x = %u : !temp, %y = %o : !temp) -> (!temp) {
      %l = stencil.access %x[-1, 2] : !temp
      %r = stencil.access %x[1, -2] : !temp
      %c0 = stencil.access %y[0, 0] : !temp
      %s = arith.addf %l, %r : f64
      %d = arith.subf %s, %c0 : f64
      stencil.return %d : f64
    }
    stencil.store %q to %next(<[0, 0], [9, 5]>) : !temp to !field
    scf.yield %old, %now, %next : !field, !field, !field
  }
  return
}

// Nothing else is left of the condition, and one buffer is in place.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.if
// CHECK-NEXT: stencil.boundary
// CHECK: scf.for
// CHECK-NOT: stencil.boundary
// CHECK: return
func.func @in_place(%a: !field, %n: index) {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %r = scf.for %i = %zero to %n step %three iter_args(%u = %a) -> (!field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.dirichlet<1.0>, #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %u(<[0, 0], [9, 5]>) : !temp to !field
    scf.yield %u : !field
  }
  return
}

// Each buffer gets one halo and the other in turn.
// CHECK-LABEL: func.func @two_halos
// CHECK: scf.for
// CHECK: stencil.boundary {{.*}} [#stencil.dirichlet<1.000000e+00 : f64>, #stencil.dirichlet<1.000000e+00 : f64>]
// CHECK: stencil.boundary {{.*}} [#stencil.dirichlet<2.000000e+00 : f64>, #stencil.dirichlet<2.000000e+00 : f64>]
func.func @two_halos(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.dirichlet<1.0>, #stencil.dirichlet<1.0>] : !field
    stencil.boundary %v(<[0, 0], [9, 5]>) [#stencil.dirichlet<2.0>, #stencil.dirichlet<2.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// The step stores to the halo: no time loop.
// CHECK-LABEL: func.func @stores_to_the_halo
// CHECK: scf.for
// CHECK-NEXT: stencil.boundary {{.*}} [#stencil.dirichlet<1.000000e+00 : f64>, #stencil.keep]
func.func @stores_to_the_halo(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.dirichlet<1.0>, #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[0, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[-1, 0], [9, 5]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// Four steps, from 0 to 200 without sign: with it, none.
// CHECK-LABEL: func.func @unsigned
// CHECK-NOT: scf.if
// CHECK: scf.for unsigned
// CHECK-NEXT: stencil.boundary {{.*}} [#stencil.dirichlet<1.000000e+00 : f64>, #stencil.keep]
func.func @unsigned(%a: !field, %b: !field) {
  %zero = arith.constant 0 : i8
  %many = arith.constant 200 : i8
  %fifty = arith.constant 50 : i8
  %r:2 = scf.for unsigned %i = %zero to %many step %fifty iter_args(%u = %a, %v = %b) -> (!field, !field) : i8 {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.dirichlet<1.0>, #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// 200, from the first bound to the last, is more than the loop can count.
// CHECK-LABEL: func.func @wide_span
// CHECK: %[[STEPS:.*]] = arith.constant 4 : index
// CHECK: arith.cmpi slt, %{{.*}}, %[[STEPS]] : index
func.func @wide_span(%a: !field) {
  %first = arith.constant -100 : i8
  %end = arith.constant 100 : i8
  %fifty = arith.constant 50 : i8
  %r = scf.for %i = %first to %end step %fifty iter_args(%u = %a) -> (!field) : i8 {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.dirichlet<1.0>, #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %q = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %u(<[0, 0], [9, 5]>) : !temp to !field
    scf.yield %u : !field
  }
  return
}
