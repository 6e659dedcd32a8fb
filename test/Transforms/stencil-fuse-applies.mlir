// RUN: stencil-opt %s --stencil-fuse-applies='gain=0.7' --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-fuse-applies='gain=0.7' --split-input-file | FileCheck %s --check-prefix=BOXES
// RUN: stencil-opt %s --stencil-fuse-applies='gain=0.7' --stencil-infer-shapes --stencil-bufferize --stencil-expand-weighted-sums --split-input-file -o /dev/null

// Read at several offsets: the body stands once, at an offset that is read, and
// is moved to the others. A sum over the result is one over the value.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: stencil.apply
// CHECK: %[[A:.*]] = stencil.access %[[X:.*]][0]
// CHECK: %[[B:.*]] = stencil.access %[[X]][1]
// CHECK: %[[D:.*]] = arith.subf %[[B]], %[[A]]
// CHECK: stencil.weighted_sum %[[D]] offsets {{\[\[}}-1]] weights dense<1.000000e+00> : tensor<1xf64> : f64
// CHECK: stencil.weighted_sum %[[D]] fastmath<reassoc> offsets {{\[\[}}-1], [0]] weights dense<2.000000e+00> : tensor<2xf64> : f64
// CHECK-NOT: stencil.apply
// BOXES-LABEL: func.func @chain
// BOXES: stencil.apply({{.*}}temp<[-1,65]xf64>) -> (!stencil.temp<[0,64]xf64>)
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @chain(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %f = stencil.apply(%x = %t : !temp) -> (!temp) {
    %a = stencil.access %x[0] : !temp
    %b = stencil.access %x[1] : !temp
    %d = arith.subf %b, %a : f64
    stencil.return %d : f64
  }
  %r = stencil.apply(%y = %f : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %w = stencil.access %y[-1] : !temp
    %m = stencil.weighted_sum %y fastmath<reassoc> offsets [[-1], [0]] weights dense<2.0> : tensor<2xf64> : !temp
    %s = arith.subf %e, %w : f64
    %p = arith.addf %s, %m : f64
    stencil.return %p : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// One offset: that copy. Index, ranges and inputs of lower rank move along, and
// what is read in a branch is computed before it.
// CHECK-LABEL: func.func @moved
// CHECK-COUNT-1: stencil.apply
// CHECK: stencil.access %{{.*}}[2, 1]
// CHECK: stencil.access %{{.*}}[_, 0]
// CHECK: stencil.index 0 <[1, -1]>
// CHECK: stencil.dyn_access %{{.*}} in <[1, -2]> : <[1, 0]>
// CHECK: arith.addf
// CHECK: %[[V:.*]] = arith.addf
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[V]]
// CHECK-NOT: stencil.apply
!field = !stencil.field<[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?xf64>
!row = !stencil.temp<?xf64>
func.func @moved(%u: !field, %l: !stencil.field<[-4,68]xf64>, %v: !field, %c: i1) {
  %t = stencil.load %u : !field -> !temp
  %lt = stencil.load %l : !stencil.field<[-4,68]xf64> -> !row
  %f = stencil.apply(%x = %t : !temp, %y = %lt : !row) -> (!temp) {
    %a = stencil.access %x[1, 2] : !temp
    %b = stencil.access %y[_, 1] : !row
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %d = stencil.dyn_access %x[%i, %j] in <[0, -1]> : <[0, 1]> : !temp
    %s = arith.addf %a, %b : f64
    %p = arith.addf %s, %d : f64
    stencil.return %p : f64
  }
  %r = stencil.apply(%y = %f : !temp, %k = %c : i1) -> (!temp) {
    %zero = arith.constant 0.0 : f64
    %e = scf.if %k -> (f64) {
      %w = stencil.access %y[1, -1] : !temp
      scf.yield %w : f64
    } else {
      scf.yield %zero : f64
    }
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}

// -----

// A producer of fewer axes, in the place of the axis that it is read along.
// CHECK-LABEL: func.func @lower_rank
// CHECK-COUNT-1: stencil.apply
// CHECK: stencil.access %{{.*}}[_, 2]
// CHECK: stencil.index 1 <[0, 1]>
// CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}0, -2]] weights
// CHECK-NOT: stencil.apply
!field = !stencil.field<[-4,68]x[-4,68]xf64>
!line = !stencil.field<[-4,68]xf64>
!temp = !stencil.temp<?x?xf64>
!row = !stencil.temp<?xf64>
func.func @lower_rank(%l: !line, %v: !field) {
  %lt = stencil.load %l : !line -> !row
  %f = stencil.apply(%y = %lt : !row) -> (!row) {
    %b = stencil.access %y[1] : !row
    %i = stencil.index 0 <[0]>
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f64
    %s = arith.addf %b, %k : f64
    stencil.return %s : f64
  }
  %r = stencil.apply(%y = %f : !row) -> (!temp) {
    %e = stencil.access %y[_, 1] : !row
    %w = stencil.access %y[_, -1] : !row
    %s = arith.addf %e, %w : f64
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}

// -----

// A result that is stored, too, becomes a second one; the store is not passed.
// CHECK-LABEL: func.func @kept
// CHECK: stencil.load
// CHECK: stencil.load
// CHECK: %[[R:.*]]:2 = stencil.apply
// CHECK: %[[M:.*]] = arith.mulf
// CHECK: %[[S:.*]] = arith.addf %[[M]]
// CHECK: stencil.return %[[S]], %[[M]]
// CHECK: stencil.store %[[R]]#1 to
// CHECK: stencil.store %[[R]]#0 to
!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @kept(%u: !field, %w: !field, %p: !field, %q: !field) {
  %t = stencil.load %u : !field -> !temp
  %f = stencil.apply(%x = %t : !temp) -> (!temp) {
    %a = stencil.access %x[0] : !temp
    %m = arith.mulf %a, %a : f64
    stencil.return %m : f64
  }
  stencil.store %f to %p(<[0], [64]>) : !temp to !field
  %tw = stencil.load %w : !field -> !temp
  %r = stencil.apply(%y = %f : !temp, %z = %tw : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %b = stencil.access %z[0] : !temp
    %s = arith.addf %e, %b : f64
    stencil.return %s : f64
  }
  stencil.store %r to %q(<[0], [64]>) : !temp to !field
  return
}

// -----

// Siblings that read the same; another that reads what the first has stored.
// CHECK-LABEL: func.func @siblings
// CHECK: %[[R:.*]]:2 = stencil.apply({{.*}}) -> {{.*}} attributes {stencil.name = "a+b"}
// CHECK: stencil.store %[[R]]#0
// CHECK: stencil.store %[[R]]#1
// CHECK: stencil.load
// CHECK: stencil.apply
!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
func.func @siblings(%u: !field, %v: !field, %w: !field, %x: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%y = %t : !temp) -> (!temp) attributes {stencil.name = "a"} {
    %e = stencil.access %y[1] : !temp
    stencil.return %e : f64
  }
  stencil.store %a to %v(<[0], [64]>) : !temp to !field
  %t2 = stencil.load %u : !field -> !temp
  %b = stencil.apply(%y = %t2 : !temp) -> (!temp) attributes {stencil.name = "b"} {
    %e = stencil.access %y[-1] : !temp
    stencil.return %e : f64
  }
  stencil.store %b to %w(<[0], [64]>) : !temp to !field
  %tv = stencil.load %v : !field -> !temp
  %c = stencil.apply(%y = %tv : !temp, %z = %t : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %f = stencil.access %z[0] : !temp
    %s = arith.addf %e, %f : f64
    stencil.return %s : f64
  }
  stencil.store %c to %x(<[0], [64]>) : !temp to !field
  return
}

// -----

// What reads a combine is divided at the split, and either side is fused.
// CHECK-LABEL: func.func @combine
// CHECK: %[[L:.*]] = stencil.apply
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: %[[U:.*]] = stencil.apply
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: %[[C:.*]] = stencil.combine 0 at 11 lower = (%[[L]] : {{.*}}) upper = (%[[U]] :
// CHECK: stencil.store %[[C]]
// BOXES-LABEL: func.func @combine
// BOXES: stencil.apply({{.*}}) -> (!stencil.temp<[0,11]x[0,64]xf64>)
// BOXES: stencil.apply({{.*}}) -> (!stencil.temp<[11,64]x[0,64]xf64>)
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @combine(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[-1, 0] : !temp
    %m = arith.mulf %e, %e : f64
    stencil.return %m : f64
  }
  %b = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[0, 0] : !temp
    %f = stencil.access %x[1, 0] : !temp
    %m = arith.subf %e, %f : f64
    stencil.return %m : f64
  }
  %c = stencil.combine 0 at 11 lower = (%a : !temp) upper = (%b : !temp) : !temp
  %r = stencil.apply(%x = %c : !temp) -> (!temp) {
    %e = stencil.access %x[0, 0] : !temp
    %s = arith.addf %e, %e : f64
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}

// -----

// Regions: a producer that two applies read on disjoint boxes is computed where
// it is needed.
// CHECK-LABEL: func.func @regions
// CHECK: stencil.apply
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: stencil.apply
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK-NOT: stencil.apply
!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @regions(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %f = stencil.apply(%x = %t : !temp) -> (!temp) {
    %a = stencil.access %x[0] : !temp
    %m = arith.mulf %a, %a : f64
    stencil.return %m : f64
  }
  %p = stencil.apply(%y = %f : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %s = arith.addf %e, %e : f64
    stencil.return %s : f64
  }
  stencil.store %p to %v(<[0], [8]>) : !temp to !field
  %q = stencil.apply(%y = %f : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %s = arith.subf %e, %e : f64
    stencil.return %s : f64
  }
  stencil.store %q to %v(<[8], [64]>) : !temp to !field
  return
}
