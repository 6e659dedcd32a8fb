// REQUIRES: python
// RUN: stencil-opt %s --stencil-fold-boundaries --remarks-filter=Boundaries 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: stencil-opt %s --stencil-fold-boundaries -o %t.mlir
// What all fields hold in the end, halos included, for each number of steps.
// RUN: %python %S/Inputs/same-after-steps.py stencil-run leapfrog %s %t.mlir %t 0 1 2 3 4 7
// RUN: %python %S/Inputs/same-after-steps.py stencil-run two_readers %s %t.mlir %t 0 1 2 3
// RUN: %python %S/Inputs/same-after-steps.py stencil-run regions %s %t.mlir %t 0 1 2 3

!field = !stencil.field<[-1,10]x[-2,7]xf64>
!temp = !stencil.temp<?x?xf64>

// Three buffers take turns: the last three steps write the halo of each.
// REMARK: windows have the conditions; the halo is written in the last steps only
// CHECK-LABEL: func.func @leapfrog
// CHECK-SAME: %[[A:.*]]: !stencil.field{{.*}}, %[[B:.*]]: !stencil.field{{.*}}, %[[C:.*]]: !stencil.field{{.*}}, %[[N:.*]]: index
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: %[[LESS:.*]] = arith.subi %{{.*}}, %[[THREE]]
// CHECK: %[[MIDDLE:.*]] = arith.maxsi %[[LESS]]
// CHECK: %[[FIRST:.*]]:3 = scf.for %{{.*}} = %c0{{.*}} to %[[MIDDLE]] step %c1{{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]], %[[NOW:.*]] = %[[C]])
// CHECK-NOT: stencil.boundary
// CHECK: stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<>} {
// CHECK: %[[X:.*]] = stencil.load %[[NOW]]
// CHECK: stencil.window shared %[[X]] depth 3 lead 1 boundary(<[0, 0], [9, 5]>) [#stencil.neumann, #stencil.antisymmetric]
// CHECK-NOT: stencil.boundary
// CHECK: scf.for %{{.*}} = %[[MIDDLE]] to %[[N]] step %c1{{.*}} iter_args(%{{.*}} = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1, %[[REST:.*]] = %[[FIRST]]#2)
// CHECK: stencil.pipeline
// CHECK: boundary(
// CHECK: stencil.boundary %[[REST]]
// CHECK-NEXT: scf.yield
func.func @leapfrog(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%next = %a, %old = %b, %now = %c) -> (!field, !field, !field) {
    stencil.boundary %now(<[0, 0], [9, 5]>) [#stencil.neumann, #stencil.antisymmetric] : !field
    stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
      %o = stencil.load %old : !field -> !temp
      %u = stencil.load %now : !field -> !temp
      %w = stencil.window shared %u depth 3 lead 1 : !temp
      %q = stencil.apply(%x = %w : !temp, %y = %o : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %l = stencil.access %x[-1, 2] : !temp
        %r = stencil.access %x[1, -2] : !temp
        %c0 = stencil.access %y[0, 0] : !temp
        %s = arith.addf %l, %r : f64
        %d = arith.subf %s, %c0 : f64
        stencil.return %d : f64
      }
      stencil.store %q to %next(<[0, 0], [9, 5]>) : !temp to !field
    }
    scf.yield %old, %now, %next : !field, !field, !field
  }
  return
}

// Of two pipelines, one reads the halo in memory: it is filled in each step,
// before that one.
// REMARK: windows have the conditions, and the halo is written all the same: the halo is read in memory, too
// CHECK-LABEL: func.func @two_readers
// CHECK: scf.for
// CHECK: boundary(
// CHECK: stencil.boundary
// CHECK-NEXT: stencil.pipeline
// CHECK-NOT: boundary(
// CHECK-NOT: scf.for
// CHECK: return
func.func @two_readers(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
    stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
      %x = stencil.load %u : !field -> !temp
      %w = stencil.window shared %x : !temp
      %q = stencil.apply(%p = %w : !temp) -> (!temp) {
        %l = stencil.access %p[-1, 1] : !temp
        stencil.return %l : f64
      }
      stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
    }
    stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = kernel>} {
      %x = stencil.load %u : !field -> !temp
      %w = stencil.window shared %x : !temp
      %q = stencil.apply(%p = %w : !temp) -> (!temp) {
        %l = stencil.access %p[1, 0] : !temp
        stencil.return %l : f64
      }
      stencil.store %q to %c(<[0, 0], [9, 5]>) : !temp to !field
    }
    scf.yield %v, %u : !field, !field
  }
  return
}

// Nothing is read beyond the box.
// CHECK-LABEL: func.func @within
// CHECK: stencil.boundary
// CHECK-NEXT: stencil.pipeline attributes {stencil.schedule = #stencil.schedule<>}
// CHECK-NOT: boundary(
func.func @within(%u: !field, %v: !field) {
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %q = stencil.apply(%p = %w : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [8, 5]>) : !temp to !field
  }
  return
}

// Outside of a loop, the halo is filled after the pipeline.
// REMARK: windows have the conditions, and the halo is written all the same: it is not in a scf.for
// CHECK-LABEL: func.func @once
// CHECK-NEXT: stencil.pipeline
// CHECK: boundary(
// CHECK: stencil.boundary
// CHECK-NEXT: return
func.func @once(%u: !field, %v: !field) {
  stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.periodic, #stencil.neumann] : !field
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %q = stencil.apply(%p = %w : !temp) -> (!temp) {
      %l = stencil.access %p[1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %q to %v(<[0, 0], [9, 5]>) : !temp to !field
  }
  return
}

// One of three regions needs no halo: it does not matter to it when the halo is
// filled.
// CHECK-LABEL: func.func @regions
// CHECK: scf.for
// CHECK-NOT: stencil.boundary
// CHECK-COUNT-2: boundary(
// CHECK: scf.for
// CHECK-NOT: stencil.boundary
// CHECK-COUNT-2: stencil.window shared {{.*}} boundary(
// CHECK: stencil.boundary
// CHECK-NEXT: scf.yield
func.func @regions(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [9, 5]>) [#stencil.symmetric, #stencil.periodic] : !field
    stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
      %x = stencil.load %u : !field -> !temp
      %w = stencil.window shared %x : !temp
      %q = stencil.apply(%p = %w : !temp) -> (!temp) {
        %l = stencil.access %p[-1, 1] : !temp
        stencil.return %l : f64
      }
      stencil.store %q to %v(<[0, 0], [3, 5]>) : !temp to !field
    }
    stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
      %x = stencil.load %u : !field -> !temp
      %w = stencil.window shared %x : !temp
      %q = stencil.apply(%p = %w : !temp) -> (!temp) {
        %l = stencil.access %p[1, 0] : !temp
        stencil.return %l : f64
      }
      stencil.store %q to %v(<[3, 0], [8, 5]>) : !temp to !field
    }
    stencil.pipeline attributes {stencil.schedule = #stencil.schedule<boundary = window>} {
      %x = stencil.load %u : !field -> !temp
      %w = stencil.window shared %x : !temp
      %q = stencil.apply(%p = %w : !temp) -> (!temp) {
        %l = stencil.access %p[1, 2] : !temp
        stencil.return %l : f64
      }
      stencil.store %q to %v(<[8, 0], [9, 5]>) : !temp to !field
    }
    scf.yield %v, %u : !field, !field
  }
  return
}
