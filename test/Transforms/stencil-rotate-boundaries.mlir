// REQUIRES: python
// RUN: stencil-opt %s --stencil-rotate-boundaries --remarks-filter=Boundaries 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: stencil-opt %benchmarks/kernels/mhd_substep.mlir --stencil-specialize-extents=extents=16,16,16 --stencil-infer-shapes \
// RUN:   --stencil-bufferize -o %t.mhd
// RUN: stencil-opt %t.mhd --stencil-attach-target=chip=sm_90 --stencil-rotate-boundaries | FileCheck %s --check-prefix=CHOSEN
// RUN: stencil-opt %t.mhd --stencil-attach-target=chip=gfx942 --stencil-rotate-boundaries | FileCheck %s --check-prefix=LEFT
// RUN: stencil-opt %t.mhd --stencil-rotate-boundaries | FileCheck %s --check-prefix=LEFT
// CHOSEN: scf.if
// CHOSEN-COUNT-8: stencil.boundary
// CHOSEN: scf.for
// CHOSEN: #stencil.schedule<boundary = store>
// CHOSEN-COUNT-8: stencil.boundary
// CHOSEN: scf.for
// CHOSEN-NOT: stencil.boundary
// LEFT-NOT: scf.if
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
// CHECK-SAME: boundary = store
// CHECK: } to <[0, 0], [9, 5]>
// CHECK-NEXT: stencil.boundary %[[V]](<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic]
// CHECK-NEXT: scf.yield %[[V]], %[[U]]
// The last step.
// CHECK: scf.for %{{.*}} = %[[M]] to %[[N]] {{.*}}iter_args(%{{.*}} = %[[Q]]#0, %{{.*}} = %[[Q]]#1)
// CHECK-NOT: stencil.boundary
// CHECK: return
func.func @swap(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    stencil.apply(%x = %u : !field, %y = %c : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
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

// Unasked, small bodies are left alone, and so are those that ask for a kernel.
// CHECK-LABEL: func.func @unasked
// CHECK: scf.for
// CHECK-NEXT: stencil.boundary
func.func @unasked(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) {
      %l = stencil.access %x[-1, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// CHECK-LABEL: func.func @kernel
// CHECK: scf.for
// CHECK-NEXT: stencil.boundary
func.func @kernel(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.periodic] : !field
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = kernel>} {
      %l = stencil.access %x[-1, 2] : !field
      stencil.return %l : f64
    } to <[0, 0], [9, 5]>
    scf.yield %v, %u : !field, !field
  }
  return
}

// With nothing to store, nothing is asked for.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: boundary
func.func @alone(%a: !field, %b: !field) {
  stencil.apply(%x = %a : !field) outs (%b : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
    %l = stencil.access %x[-1, 2] : !field
    stencil.return %l : f64
  } to <[0, 0], [9, 5]>
  return
}
