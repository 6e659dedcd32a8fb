// RUN: stencil-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: @unused_operand
// CHECK-SAME: (%{{.*}}: !stencil.temp<?xf64>, %[[B:.*]]: !stencil.temp<?xf64>)
func.func @unused_operand(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?xf64>) -> !stencil.temp<?xf64> {
  // CHECK: stencil.apply(%[[Y:.*]] = %[[B]] : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
  // CHECK-NEXT: stencil.access %[[Y]][1]
  %r = stencil.apply(%x = %a : !stencil.temp<?xf64>, %y = %b : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    // An access that nobody reads does not keep its operand.
    %u = stencil.access %x[0] : !stencil.temp<?xf64>
    %v = stencil.access %y[1] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  return %r : !stencil.temp<?xf64>
}

// -----

// CHECK-LABEL: @duplicate_operand
// CHECK-SAME: (%[[A:.*]]: !stencil.temp<?xf64>, %[[B:.*]]: !stencil.temp<?xf64>)
func.func @duplicate_operand(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?xf64>) -> !stencil.temp<?xf64> {
  // CHECK: stencil.apply(%[[X:.*]] = %[[A]] : !stencil.temp<?xf64>, %[[Y:.*]] = %[[B]] : !stencil.temp<?xf64>) ->
  // CHECK-NEXT: stencil.access %[[X]][0]
  // CHECK-NEXT: stencil.access %[[Y]][1]
  // CHECK-NEXT: stencil.access %[[X]][2]
  %r = stencil.apply(%x = %a : !stencil.temp<?xf64>, %y = %b : !stencil.temp<?xf64>, %z = %a : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %u = stencil.access %x[0] : !stencil.temp<?xf64>
    %v = stencil.access %y[1] : !stencil.temp<?xf64>
    %w = stencil.access %z[2] : !stencil.temp<?xf64>
    %s = arith.addf %u, %v : f64
    %t = arith.addf %s, %w : f64
    stencil.return %t : f64
  }
  return %r : !stencil.temp<?xf64>
}

// -----

// CHECK-LABEL: @bufferised_operands
// CHECK-SAME: (%[[F:.*]]: !stencil.field<[0,8]xf64>, %[[G:.*]]: !stencil.field<[0,8]xf64>)
func.func @bufferised_operands(%f: !stencil.field<[0,8]xf64>, %g: !stencil.field<[0,8]xf64>) {
  // CHECK: stencil.apply(%[[X:.*]] = %[[F]] : !stencil.field<[0,8]xf64>) outs (%[[G]] : !stencil.field<[0,8]xf64>) {
  stencil.apply(%w = %g : !stencil.field<[0,8]xf64>, %x = %f : !stencil.field<[0,8]xf64>, %y = %f : !stencil.field<[0,8]xf64>) outs (%g : !stencil.field<[0,8]xf64>) {
    %u = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    %v = stencil.access %y[1] : !stencil.field<[0,8]xf64>
    %s = arith.addf %u, %v : f64
    stencil.return %s : f64
  // CHECK: } to <[0], [7]>
  } to <[0], [7]>
  return
}

// -----

// CHECK-LABEL: @unused_result
func.func @unused_result(%a: f64, %b: f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xi1>) {
  // CHECK: %[[R:.*]]:2 = stencil.apply(%[[X:.*]] = %{{.*}} : f64, %[[Y:.*]] = %{{.*}} : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xi1>) attributes {name = "kept"} {
  // CHECK-NEXT: %[[C:.*]] = arith.cmpf olt, %[[X]], %[[Y]] : f64
  // CHECK-NEXT: stencil.return %[[X]], %[[C]] : f64, i1
  %r:3 = stencil.apply(%x = %a : f64, %y = %b : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xi1>) attributes {name = "kept"} {
    %s = arith.addf %x, %y : f64
    %c = arith.cmpf olt, %x, %y : f64
    stencil.return %x, %s, %c : f64, f64, i1
  }
  // CHECK: return %[[R]]#0, %[[R]]#1
  return %r#0, %r#2 : !stencil.temp<?xf64>, !stencil.temp<?xi1>
}

// -----

// CHECK-LABEL: @duplicate_result
func.func @duplicate_result(%a: f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
  // CHECK: %[[R:.*]]:2 = stencil.apply
  // CHECK: stencil.return %{{.*}}, %{{.*}} : f64, f64
  %r:3 = stencil.apply(%x = %a : f64) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
    %n = arith.negf %x : f64
    stencil.return %x, %n, %x : f64, f64, f64
  }
  // CHECK: return %[[R]]#1, %[[R]]#0, %[[R]]#0
  return %r#1, %r#0, %r#2 : !stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>
}

// -----

// Results are the same if they are so at every point of the unroll box.
// CHECK-LABEL: @unrolled_results
func.func @unrolled_results(%a: f64) -> (!stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>) {
  // CHECK: %[[R:.*]]:2 = stencil.apply(%[[X:.*]] = %{{.*}} : f64)
  // CHECK-NEXT: %[[N:.*]] = arith.negf %[[X]]
  // CHECK-NEXT: stencil.return %[[X]], %[[N]], %[[X]], %[[X]] unroll <[2]> : f64, f64, f64, f64
  %r:4 = stencil.apply(%x = %a : f64) -> (!stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>) {
    %n = arith.negf %x : f64
    stencil.return %x, %n, %n, %n, %x, %x, %x, %n unroll <[2]> : f64, f64, f64, f64, f64, f64, f64, f64
  }
  // CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#0
  return %r#0, %r#2, %r#3 : !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>
}

// -----

// Constants move into the body and fold there.
// CHECK-LABEL: @constants
// CHECK-SAME: (%[[A:.*]]: !stencil.temp<?xf64>)
func.func @constants(%a: !stencil.temp<?xf64>) -> !stencil.temp<?xf64> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  // CHECK: stencil.apply(%[[X:.*]] = %[[A]] : !stencil.temp<?xf64>) ->
  %r = stencil.apply(%x = %a : !stencil.temp<?xf64>, %y = %two : f64, %z = %three : f64) -> (!stencil.temp<?xf64>) {
    // CHECK-NEXT: %[[SIX:.*]] = arith.constant 6.000000e+00 : f64
    // CHECK-NEXT: %[[V:.*]] = stencil.access %[[X]][0]
    // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[V]], %[[SIX]] : f64
    %c = arith.mulf %y, %z : f64
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    %p = arith.mulf %v, %c : f64
    stencil.return %p : f64
  }
  return %r : !stencil.temp<?xf64>
}

// -----

// CHECK-LABEL: @dead
func.func @dead(%f: !stencil.field<[0,8]xf64>, %g: !stencil.field<[0,8]xf64>) {
  // CHECK-NOT: {{stencil\.(load|apply|buffer|combine|fold)}}
  %t = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %y = %g : !stencil.field<[0,8]xf64>) -> (!stencil.temp<?xf64>) {
    %u = stencil.access %x[0] : !stencil.temp<?xf64>
    %v = stencil.access %y[0] : !stencil.field<[0,8]xf64>
    %s = arith.addf %u, %v : f64
    stencil.return %s : f64
  }
  %b = stencil.buffer %r : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %c = stencil.combine 0 at 3 lower = (%b : !stencil.temp<?xf64>) upper = (%t : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  %m = stencil.fold %c(<[0], [8]>) max : !stencil.temp<?xf64>
  %n = stencil.fold %f(<[0], [8]>) max : !stencil.field<[0,8]xf64>
  // CHECK: return
  return
}

// -----

// CHECK-LABEL: @alive
func.func @alive(%f: !stencil.field<[0,8]xf64>, %m: memref<8xf64>) {
  // CHECK: stencil.apply() outs
  stencil.apply() outs (%f : !stencil.field<[0,8]xf64>) {
    %c = arith.constant 1.0 : f64
    stencil.return %c : f64
  } to <[1], [7]>
  // CHECK: stencil.boundary
  stencil.boundary %f(<[1], [7]>) [#stencil.periodic] : !stencil.field<[0,8]xf64>
  // CHECK: stencil.external_store
  stencil.external_store %f to %m : !stencil.field<[0,8]xf64> to memref<8xf64>
  // A body that does more than to return a value runs.
  // CHECK: stencil.apply
  %r = stencil.apply(%x = %m : memref<8xf64>) -> (!stencil.temp<[0,8]xf64>) {
    %c = arith.constant 1.0 : f64
    %i = stencil.index 0 <[0]>
    // CHECK: memref.store
    memref.store %c, %x[%i] : memref<8xf64>
    stencil.return %c : f64
  }
  return
}

// -----

// CHECK-LABEL: @identity_mapping
func.func @identity_mapping(%a: !stencil.temp<?x?xf64>) -> !stencil.temp<?x?xf64> {
  %r = stencil.apply(%x = %a : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    // CHECK: stencil.access %{{.*}}[1, 2] : !stencil.temp<?x?xf64>
    // CHECK-NOT: stencil.access
    %u = "stencil.access"(%x) {offset = #stencil.index<[1, 2]>, offset_mapping = #stencil.index<[0, 1]>} : (!stencil.temp<?x?xf64>) -> f64
    stencil.return %u : f64
  }
  return %r : !stencil.temp<?x?xf64>
}

// -----

// CHECK-LABEL: @casts
// CHECK-SAME: (%[[A:.*]]: !stencil.field<?xf64>)
func.func @casts(%a: !stencil.field<?xf64>) -> !stencil.field<[0,?]xf64> {
  // CHECK-NEXT: %[[B:.*]] = stencil.cast %[[A]] : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
  // CHECK-NEXT: return %[[B]]
  %0 = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<?xf64>
  %1 = stencil.cast %0 : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
  %2 = stencil.cast %1 : !stencil.field<[0,?]xf64> -> !stencil.field<[0,?]xf64>
  return %2 : !stencil.field<[0,?]xf64>
}

// -----

// CHECK-LABEL: @combines
// CHECK-SAME: (%[[A:.*]]: !stencil.temp<?xf64>, %[[B:.*]]: !stencil.temp<?xf64>)
func.func @combines(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
  %0:2 = stencil.combine 0 at 3 lower = (%a, %b : !stencil.temp<?xf64>, !stencil.temp<?xf64>) upper = (%a, %b : !stencil.temp<?xf64>, !stencil.temp<?xf64>) : !stencil.temp<?xf64>, !stencil.temp<?xf64>
  // CHECK-NEXT: %[[C:.*]] = stencil.combine 0 at 3
  %1 = stencil.combine 0 at 3 lower = (%a : !stencil.temp<?xf64>) upper = (%b : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  return %0#0, %0#1, %1 : !stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>
}

// -----

// A combine of a value with itself that has other bounds is not that value.
// CHECK-LABEL: @combine_to_smaller
func.func @combine_to_smaller(%a: !stencil.temp<[0,9]xf64>) -> !stencil.temp<[0,8]xf64> {
  // CHECK: stencil.combine
  %0 = stencil.combine 0 at 3 lower = (%a : !stencil.temp<[0,9]xf64>) upper = (%a : !stencil.temp<[0,9]xf64>) : !stencil.temp<[0,8]xf64>
  return %0 : !stencil.temp<[0,8]xf64>
}
