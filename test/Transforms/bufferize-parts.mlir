// Stores of parts, to parts, and in branches.
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --split-input-file | FileCheck %s

// No value is left, whatever the program.
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --split-input-file | FileCheck %s --check-prefix=NONE
// NONE-NOT: stencil.load
// NONE-NOT: stencil.store{{ }}
// NONE-NOT: stencil.combine
// NONE-NOT: stencil.buffer
// NONE-NOT: stencil.temp

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// The stored box is not all of the result: a buffer for all, a copy of the box.
// CHECK-LABEL: @part_stored
// CHECK: %[[B:.*]] = stencil.alloc : !stencil.field<[0,64]xf64>
// CHECK: outs (%[[B]] :
// CHECK: } to <[0], [64]>
// CHECK: outs (%[[V:.*]] :
// CHECK: } to <[8], [16]>
// CHECK: %[[S:.*]] = stencil.fold %[[B]](<[0], [64]>) max : !stencil.field<[0,64]xf64>
// CHECK: return %[[S]]
func.func @part_stored(%u: !field, %v: !field) -> f64 {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  stencil.store %a to %v(<[8], [16]>) : !temp to !field
  %s = stencil.fold %a(<[0], [64]>) max : !temp
  return %s : f64
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>
!temp = !stencil.temp<?x?xf64>

// The parts of a combine are written where they belong; the operand that passes
// through, too.
// CHECK-LABEL: @combine_stored
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}}, %[[W:.*]]: {{.*}})
// CHECK-NOT: stencil.alloc
// CHECK: stencil.apply({{.*}}) outs (%[[V]] : {{.*}}) {
// CHECK: } to <[0, 0], [11, 64]>
// CHECK: stencil.apply({{.*}}) outs (%[[V]] : {{.*}}, %[[W]] : {{.*}}) {
// CHECK: } to <[11, 0], [64, 64]>
// CHECK-NOT: stencil.apply
func.func @combine_stored(%u: !field, %v: !field, %w: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0, 0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  %b:2 = stencil.apply(%x = %t : !temp) -> (!temp, !temp) {
    %e = stencil.access %x[0, 0] : !temp
    %d = arith.mulf %e, %e : f64
    stencil.return %d, %e : f64, f64
  }
  %c:2 = stencil.combine 0 at 11 lower = (%a : !temp) upper = (%b#0 : !temp) upperext = %b#1 : !temp : !temp, !temp
  stencil.store %c#0 to %v(<[0, 0], [64, 64]>) : !temp to !field
  stencil.store %c#1 to %w(<[11, 0], [64, 64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// A combine of combines that is read: one buffer, written by the producers. A
// loaded value is copied to its part.
// CHECK-LABEL: @combine_read
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}})
// CHECK: %[[B:.*]] = stencil.alloc : !stencil.field<[0,64]xf64>
// CHECK-NOT: stencil.alloc
// CHECK: stencil.apply({{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK-NEXT: stencil.access
// CHECK-NEXT: arith.addf
// CHECK: } to <[0], [8]>
// CHECK: stencil.apply({{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK-NEXT: stencil.access
// CHECK-NEXT: arith.mulf
// CHECK: } to <[8], [16]>
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK: } to <[16], [64]>
// CHECK: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[V]] : {{.*}}) {
func.func @combine_read(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  %b = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.mulf %e, %e : f64
    stencil.return %d : f64
  }
  %c = stencil.combine 0 at 8 lower = (%a : !temp) upper = (%b : !temp) : !temp
  %d = stencil.combine 0 at 16 lower = (%c : !temp) upper = (%t : !temp) : !temp
  %r = stencil.apply(%x = %d : !temp) -> (!temp) {
    %w = stencil.access %x[-1] : !temp
    %e = stencil.access %x[1] : !temp
    %f = arith.addf %w, %e : f64
    stencil.return %f : f64
  }
  stencil.store %r to %v(<[1], [63]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// stencil.buffer: in memory of its own, although it could be in %v at once.
// CHECK-LABEL: @buffer
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}})
// CHECK: %[[B:.*]] = stencil.alloc
// CHECK: outs (%[[B]] :
// CHECK: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[V]] : {{.*}}) {
func.func @buffer(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  %b = stencil.buffer %a : !temp -> !temp
  stencil.store %b to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,?]xf64>
!temp = !stencil.temp<?xf64>

// Region decomposition in place: the boxes are disjoint for every extent for
// which they have points.
// CHECK-LABEL: @regions
// CHECK-SAME: %[[U:[^:]*]]: !stencil.field<[0,?]xf64>
// CHECK-NOT: stencil.alloc
// CHECK: outs (%[[U]] :
// CHECK: } to <[0], [4]>
// CHECK: outs (%[[U]] :
// CHECK: } to <[4], [?-4]>
// CHECK: outs (%[[U]] :
// CHECK: } to <[?-4], [?]>
func.func @regions(%u: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  stencil.store %a to %u(<[0], [4]>) : !temp to !field
  %b = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.mulf %e, %e : f64
    stencil.return %d : f64
  }
  stencil.store %b to %u(<[4], [?-4]>) : !temp to !field
  %c = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.negf %e : f64
    stencil.return %d : f64
  }
  stencil.store %c to %u(<[?-4], [?]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// What is not stored at a point leaves the field as it is: no copy in between.
// CHECK-LABEL: @store_nothing
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}})
// CHECK-NOT: stencil.alloc
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[V]] : {{.*}}) {
// CHECK: stencil.return %{{.*}} : !stencil.result<f64>
// CHECK-NEXT: } to <[0], [64]>
func.func @store_nothing(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %zero = arith.constant 0.0 : f64
    %c = arith.cmpf ogt, %e, %zero : f64
    %r = scf.if %c -> (!stencil.result<f64>) {
      %s = stencil.store_result %e : !stencil.result<f64>
      scf.yield %s : !stencil.result<f64>
    } else {
      %s = stencil.store_result : !stencil.result<f64>
      scf.yield %s : !stencil.result<f64>
    }
    stencil.return %r : !stencil.result<f64>
  }
  stencil.store %a to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// Stores in a branch: whether the result gets to the field is known there only.
// CHECK-LABEL: @branch
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}}, %{{.*}}: i1)
// CHECK: %[[B:.*]] = stencil.alloc
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK: scf.if
// CHECK-NEXT: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[V]] : {{.*}}) {
// CHECK: } else {
// CHECK-NEXT: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[U]] : {{.*}}) {
func.func @branch(%u: !field, %v: !field, %p: i1) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0] : !temp
    %d = arith.addf %e, %e : f64
    stencil.return %d : f64
  }
  scf.if %p {
    stencil.store %a to %v(<[0], [64]>) : !temp to !field
  } else {
    %b = stencil.apply(%x = %t : !temp) -> (!temp) {
      %e = stencil.access %x[0] : !temp
      %d = arith.mulf %e, %e : f64
      stencil.return %d : f64
    }
    stencil.store %b to %u(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// Two names for one memref: the fields alias.
// CHECK-LABEL: @external
// CHECK: %[[B:.*]] = stencil.alloc
// CHECK: %[[U:.*]] = stencil.external_load
// CHECK: %[[V:.*]] = stencil.external_load
// CHECK: stencil.apply({{.*}} = %[[U]] : {{.*}}) outs (%[[B]] : {{.*}}) {
// CHECK: stencil.apply({{.*}} = %[[B]] : {{.*}}) outs (%[[V]] : {{.*}}) {
func.func @external(%m: memref<64xf64>) {
  %u = stencil.external_load %m : memref<64xf64> -> !field
  %v = stencil.external_load %m : memref<64xf64> -> !field
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[1] : !temp
    stencil.return %e : f64
  }
  stencil.store %a to %v(<[0], [63]>) : !temp to !field
  stencil.external_store %v to %m : !field to memref<64xf64>
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!out = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

// A bufferised apply may have values among its inputs. What a body does not read
// is no input any more.
// CHECK-LABEL: @mixed
// CHECK-SAME: (%[[U:.*]]: {{.*}}, %[[V:.*]]: {{.*}})
// CHECK-NOT: stencil.alloc
// CHECK: stencil.apply(%{{[^,]*}} = %[[U]] : !stencil.field<[0,64]xf64>) outs (%[[V]] : {{.*}}) {
func.func @mixed(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !stencil.temp<[0,64]xf64>
  %s = stencil.load %v : !field -> !stencil.temp<[0,64]xf64>
  stencil.apply(%x = %t : !stencil.temp<[0,64]xf64>, %y = %s : !stencil.temp<[0,64]xf64>) outs (%v : !out) {
    %e = stencil.access %x[0] : !stencil.temp<[0,64]xf64>
    stencil.return %e : f64
  } to <[0], [64]>
  return
}
