// REQUIRES: python
// RUN: stencil-opt %s --stencil-rotate-boundaries --remarks-filter=Boundaries 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: stencil-opt %s --stencil-rotate-boundaries -o %t.mlir
// What all fields hold in the end, halos included, for each number of steps.
// RUN: %python %S/Inputs/same-after-steps.py stencil-run swap %s %t.mlir %t 0 1 2 3 4

!field = !stencil.field<[-1,10]x[-2,7]xf64>

// The first halo is filled before the loop, if it takes a step, the others by
// who stores the field; what the last step stores keeps its halo.
// REMARK: what stores to the field fills its periodic halo, too
// CHECK-LABEL: func.func @swap
// CHECK-SAME: %[[A:.*]]: !stencil.field{{.*}}, %[[B:.*]]: !stencil.field{{.*}}, %[[C:.*]]: !stencil.field{{.*}}, %[[N:.*]]: index
// CHECK: %[[HAS:.*]] = arith.cmpi sgt, %[[N]],
// CHECK: %[[M:.*]] = arith.maxsi
// CHECK: scf.if %[[HAS]] {
// CHECK-NEXT: stencil.boundary %[[A]](
// CHECK: %[[Q:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[M]] {{.*}}iter_args(%[[U:.*]] = %[[A]], %[[V:.*]] = %[[B]])
// CHECK-NEXT: stencil.apply(%{{.*}} = %[[U]] {{.*}} outs (%[[V]]
// CHECK: } to <[0, 0], [9, 5]>
// CHECK-NEXT: stencil.boundary %[[V]](<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic]
// CHECK-NEXT: scf.yield %[[V]], %[[U]]
// CHECK: scf.for %{{.*}} = %[[M]] to %[[N]] {{.*}}iter_args(%{{.*}} = %[[Q]]#0, %{{.*}} = %[[Q]]#1)
// CHECK-NOT: stencil.boundary
// CHECK: return
func.func @swap(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    stencil.apply(%x = %u : !field, %y = %c : !field) outs (%v : !field) {
      %l = stencil.access %x[-1, 2] : !field
      %m = stencil.access %x[1, -2] : !field
      %k = stencil.access %y[0, 0] : !field
      %s = arith.addf %l, %m : f64
      %d = arith.subf %s, %k : f64
      stencil.return %d : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// REMARK: a kernel of its own fills halos in each step: a condition is not periodic
// CHECK-LABEL: func.func @mirrored
// CHECK: scf.for
// CHECK-NEXT: stencil.boundary
func.func @mirrored(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.symmetric] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %l = stencil.access %x[-1, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// The images of the halo that axis 0 keeps lie in the corners.
// REMARK: the halo that an axis keeps has images along another one
func.func @kept_first(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.keep, #stencil.periodic] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %l = stencil.access %x[0, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// REMARK: what is stored to is not the box of the boundary
func.func @part(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %l = stencil.access %x[0, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [8, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// REMARK: the schedule asks for a kernel that fills halos
func.func @asked(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = kernel>} {
      %l = stencil.access %x[0, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

!open = !stencil.field<[-1,?]x[-2,?]xf64>

// REMARK: the extents are not known
func.func @extents(%a: !open, %b: !open, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!open, !open) {
    stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.periodic, #stencil.periodic] : !open
    stencil.apply(%x = %u : !open) outs (%v : !open) {
      %l = stencil.access %x[-1, -2] : !open
      stencil.return %l : f64
    } to <[0, 0], [?, ?]>
    scf.yield %v, %u : !open, !open
  }
  return
}

!narrow = !stencil.field<[-1,10]x[-2,5]xf64>

// REMARK: the box is narrower than its halos
func.func @narrow(%a: !narrow, %b: !narrow, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!narrow, !narrow) {
    stencil.boundary %u(<[0, 0], [9, 3]>) [#stencil.periodic, #stencil.periodic] : !narrow
    stencil.apply(%x = %u : !narrow) outs (%v : !narrow) {
      %l = stencil.access %x[-1, -2] : !narrow
      stencil.return %l : f64
    } to <[0, 0], [9, 3]>
    scf.yield %v, %u : !narrow, !narrow
  }
  return
}

// REMARK: a step is not one apply behind its boundary ops
func.func @two(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    stencil.boundary %a(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    stencil.apply(%x = %a : !field) outs (%b : !field) {
      %l = stencil.access %x[0, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    stencil.apply(%x = %b : !field) outs (%a : !field) {
      %l = stencil.access %x[0, 0] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
  }
  return
}
