// RUN: stencil-opt %s --stencil-bufferize --split-input-file | FileCheck %s

// No value is left, whatever the program.
// RUN: stencil-opt %s --stencil-bufferize --split-input-file | FileCheck %s --check-prefix=NONE
// NONE-NOT: stencil.load
// NONE-NOT: stencil.store{{ }}
// NONE-NOT: stencil.combine
// NONE-NOT: stencil.buffer
// NONE-NOT: stencil.temp

!field = !stencil.field<[-1,?+1]xf64>
!in = !stencil.temp<[-1,?+1]xf64>
!out = !stencil.temp<[0,?]xf64>

// Two fields that are swapped: the result is written where it is stored.
// CHECK-LABEL: @jacobi
// CHECK-NOT: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}})
// CHECK-NEXT: stencil.boundary %[[U]]
// CHECK-NEXT: stencil.apply(%[[X:.*]] = %[[U]] : !stencil.field<[-1,?+1]xf64>) outs (%[[V]] : !stencil.field<[-1,?+1]xf64>) {
// CHECK-NEXT: stencil.access %[[X]][-1]
// CHECK: } to <[0], [?]>
// CHECK-NEXT: scf.yield %[[V]], %[[U]]
func.func @jacobi(%arg0: !stencil.field<?xf64>, %arg1: !stencil.field<?xf64>, %n: index) {
  %u0 = stencil.cast %arg0 : !stencil.field<?xf64> -> !field
  %v0 = stencil.cast %arg1 : !stencil.field<?xf64> -> !field
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    stencil.boundary %u(<[0], [?]>) [#stencil.periodic] : !field
    %t = stencil.load %u : !field -> !in
    %s = stencil.apply(%x = %t : !in) -> (!out) {
      %w = stencil.access %x[-1] : !in
      %e = stencil.access %x[1] : !in
      %a = arith.addf %w, %e : f64
      stencil.return %a : f64
    }
    stencil.store %s to %v(<[0], [?]>) : !out to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!in = !stencil.temp<[-1,65]x[-1,65]xf64>
!out = !stencil.temp<[0,64]x[0,64]xf64>

// Leapfrog: stored over what is read at offset zero only, hence in place.
// CHECK-LABEL: @leapfrog
// CHECK-NOT: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}, %[[NOW:.*]] = %{{.*}})
// CHECK-NEXT: stencil.apply(%{{.*}} = %[[OLD]] : {{.*}}, %{{.*}} = %[[NOW]] : {{.*}}) outs (%[[OLD]] : {{.*}}) attributes {keep.me} {
// CHECK: } to <[0, 0], [64, 64]>
// CHECK-NEXT: scf.yield %[[NOW]], %[[OLD]]
func.func @leapfrog(%old0: !field, %now0: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %old0, %now = %now0) -> (!field, !field) {
    %told = stencil.load %old : !field -> !out
    %tnow = stencil.load %now : !field -> !in
    %new = stencil.apply(%p = %told : !out, %u = %tnow : !in) -> (!out) attributes {keep.me} {
      %w = stencil.access %u[0, -1] : !in
      %e = stencil.access %u[0, 1] : !in
      %b = stencil.access %p[0, 0] : !out
      %a = arith.addf %w, %e : f64
      %d = arith.subf %a, %b : f64
      stencil.return %d : f64
    }
    stencil.store %new to %old(<[0, 0], [64, 64]>) : !out to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!in = !stencil.temp<[-1,65]xf64>
!out = !stencil.temp<[0,64]xf64>

// Stored over what is read at an offset: a buffer, outside of the loop, and a
// copy.
// CHECK-LABEL: @in_place
// CHECK-SAME: (%[[U:.*]]: !stencil.field<[-1,65]xf64>,
// CHECK: %[[B:.*]] = stencil.alloc : !stencil.field<[0,64]xf64>
// CHECK: scf.for
// CHECK-NEXT: stencil.apply(%{{.*}} = %[[U]] : {{.*}}) outs (%[[B]] : !stencil.field<[0,64]xf64>)
// CHECK: } to <[0], [64]>
// CHECK-NEXT: stencil.apply(%[[X:.*]] = %[[B]] : {{.*}}) outs (%[[U]] : {{.*}}) {
// CHECK-NEXT: %[[A:.*]] = stencil.access %[[X]][0]
// CHECK-NEXT: stencil.return %[[A]]
// CHECK-NEXT: } to <[0], [64]>
// CHECK-NOT: stencil.alloc
func.func @in_place(%u: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = stencil.load %u : !field -> !in
    %s = stencil.apply(%x = %t : !in) -> (!out) {
      %w = stencil.access %x[-1] : !in
      %e = stencil.access %x[1] : !in
      %a = arith.addf %w, %e : f64
      stencil.return %a : f64
    }
    stencil.store %s to %u(<[0], [64]>) : !out to !field
  }
  return
}
