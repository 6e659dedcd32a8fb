// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --split-input-file | FileCheck %s

// No value is left, whatever the program.
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --split-input-file | FileCheck %s --check-prefix=NONE
// NONE-NOT: stencil.load
// NONE-NOT: stencil.store{{ }}
// NONE-NOT: stencil.combine
// NONE-NOT: stencil.buffer
// NONE-NOT: stencil.temp

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

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
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[-1] : !temp
      %e = stencil.access %x[1] : !temp
      %a = arith.addf %w, %e : f64
      stencil.return %a : f64
    }
    stencil.store %s to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

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
    %told = stencil.load %old : !field -> !temp
    %tnow = stencil.load %now : !field -> !temp
    %new = stencil.apply(%p = %told : !temp, %u = %tnow : !temp) -> (!temp) attributes {keep.me} {
      %w = stencil.access %u[0, -1] : !temp
      %e = stencil.access %u[0, 1] : !temp
      %b = stencil.access %p[0, 0] : !temp
      %a = arith.addf %w, %e : f64
      %d = arith.subf %a, %b : f64
      stencil.return %d : f64
    }
    stencil.store %new to %old(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

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
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[-1] : !temp
      %e = stencil.access %x[1] : !temp
      %a = arith.addf %w, %e : f64
      stencil.return %a : f64
    }
    stencil.store %s to %u(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,?+4]xf64>
!temp = !stencil.temp<?xf64>

// A chain: values in between get buffers, after the casts that bind the extent.
// The third fits in the first, which is free by then.
// CHECK-LABEL: @chain
// CHECK: stencil.cast
// CHECK: %[[V:.*]] = stencil.cast
// CHECK-DAG: %[[A:.*]] = stencil.alloc : !stencil.field<[-3,?+3]xf64>
// CHECK-DAG: %[[B:.*]] = stencil.alloc : !stencil.field<[-2,?+2]xf64>
// CHECK-NOT: stencil.alloc
// CHECK: stencil.apply({{.*}}) outs (%[[A]] : {{.*}}) {
// CHECK: stencil.apply({{.*}} = %[[A]] : {{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[A]] : {{.*}}) {
// CHECK: } to <[-1], [?+1]>
// CHECK: stencil.apply({{.*}} = %[[A]] : {{.*}}) outs (%[[V]] : {{.*}}) {
func.func @chain(%arg0: !stencil.field<?xf64>, %arg1: !stencil.field<?xf64>) {
  %u = stencil.cast %arg0 : !stencil.field<?xf64> -> !field
  %t0 = stencil.load %u : !field -> !temp
  %t1 = stencil.apply(%x = %t0 : !temp) -> (!temp) {
    %e = stencil.access %x[-1] : !temp
    stencil.return %e : f64
  }
  %t2 = stencil.apply(%x = %t1 : !temp) -> (!temp) {
    %w = stencil.access %x[-1] : !temp
    %e = stencil.access %x[1] : !temp
    %s = arith.addf %w, %e : f64
    stencil.return %s : f64
  }
  %t3 = stencil.apply(%x = %t2 : !temp) -> (!temp) {
    %w = stencil.access %x[-1] : !temp
    %e = stencil.access %x[1] : !temp
    %s = arith.addf %w, %e : f64
    stencil.return %s : f64
  }
  %t4 = stencil.apply(%x = %t3 : !temp) -> (!temp) {
    %w = stencil.access %x[-1] : !temp
    %e = stencil.access %x[1] : !temp
    %s = arith.addf %w, %e : f64
    stencil.return %s : f64
  }
  %v = stencil.cast %arg1 : !stencil.field<?xf64> -> !field
  stencil.store %t4 to %v(<[0], [?]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// The field is overwritten before its old value is used: copied when loaded,
// only what is used. The first apply can then write in place.
// CHECK-LABEL: @snapshot
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}})
// CHECK: %[[B:.*]] = stencil.alloc : !stencil.field<[1,33]xf64>
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK: } to <[1], [33]>
// CHECK: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[U]] : {{.*}}) {
// CHECK: } to <[0], [32]>
// CHECK: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[V]] : {{.*}}) {
// CHECK: } to <[1], [32]>
func.func @snapshot(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %s = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[1] : !temp
    stencil.return %e : f64
  }
  stencil.store %s to %u(<[0], [32]>) : !temp to !field
  stencil.store %t to %v(<[1], [32]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// Loaded before the loop, used in it: the second iteration would see what the
// first has written.
// CHECK-LABEL: @snapshot_before_loop
// CHECK-SAME: (%[[U:.*]]: !stencil.field<[0,64]xf64>,
// CHECK: %[[B:.*]] = stencil.alloc
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK: scf.for
// CHECK-NEXT: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[U]] : {{.*}}) {
func.func @snapshot_before_loop(%u: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = stencil.load %u : !field -> !temp
  scf.for %i = %c0 to %n step %c1 {
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %e = stencil.access %x[0] : !temp
      %d = arith.addf %e, %e : f64
      stencil.return %d : f64
    }
    stencil.store %s to %u(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// Somebody looks at the field between apply and store.
// CHECK-LABEL: @read_before_store
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}}, %[[W:.*]]: {{.*}})
// CHECK: %[[B:.*]] = stencil.alloc
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK: call @look(%[[V]])
// CHECK: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[V]] : {{.*}}) {
func.func private @look(!field)
func.func @read_before_store(%u: !field, %v: !field, %w: !field) {
  %t = stencil.load %u : !field -> !temp
  %s = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  func.call @look(%v) : (!field) -> ()
  stencil.store %s to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// An apply is moved down to its store where that saves the copy.
// CHECK-LABEL: @sunk
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}})
// CHECK-NOT: stencil.alloc
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[V]] : {{.*}}) {
// CHECK-NEXT: stencil.access {{.*}}[1]
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[U]] : {{.*}}) {
// CHECK-NEXT: stencil.access {{.*}}[0]
func.func @sunk(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  %b = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[1] : !temp
    stencil.return %e : f64
  }
  stencil.store %a to %u(<[0], [64]>) : !temp to !field
  stencil.store %b to %v(<[0], [63]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// One apply, three results: stored to two fields, used again, not used.
// CHECK-LABEL: @results
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}}, %[[W:.*]]: {{.*}}, %[[Z:.*]]: {{.*}})
// CHECK: %[[B:.*]] = stencil.alloc
// CHECK: stencil.apply({{.*}}) outs (%[[V]] : {{.*}}, %[[W]] : {{.*}}, %[[B]] : {{.*}}) {
// CHECK: %[[D:.*]] = arith.addf
// CHECK: %[[Q:.*]] = arith.mulf
// CHECK: stencil.return %[[D]], %[[D]], %[[Q]] : f64, f64, f64
// CHECK: stencil.apply({{.*}} = %[[V]] : {{.*}}, {{.*}} = %[[B]] : {{.*}}) outs (%[[Z]] : {{.*}}) {
func.func @results(%u: !field, %v: !field, %w: !field, %z: !field) {
  %t = stencil.load %u : !field -> !temp
  %a:3 = stencil.apply(%x = %t : !temp) -> (!temp, !temp, !temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    %q = arith.mulf %e, %e : f64
    stencil.return %d, %q, %e : f64, f64, f64
  }
  stencil.store %a#0 to %v(<[0], [64]>) : !temp to !field
  stencil.store %a#0 to %w(<[0], [64]>) : !temp to !field
  %c = stencil.apply(%x = %a#0 : !temp, %y = %a#1 : !temp) -> (!temp) {
    %e = stencil.access %x[1] : !temp
    %f = stencil.access %y[1] : !temp
    %d = arith.addf %e, %f : f64
    stencil.return %d : f64
  }
  stencil.store %c to %z(<[0], [63]>) : !temp to !field
  return
}
