// RUN: stencil-opt %s --split-input-file --stencil-split-regions --cse | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-split-regions=regions=two | FileCheck %s --check-prefix=TWO
// RUN: stencil-opt %s --split-input-file --stencil-split-regions=axes=0,1 | FileCheck %s --check-prefix=ROWS
// RUN: stencil-opt %s --split-input-file --stencil-split-regions --stencil-split-regions > %t.twice
// RUN: stencil-opt %s --split-input-file --stencil-split-regions | diff - %t.twice

!field = !stencil.field<[0,64]x[0,48]x[0,32]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Layers on all sides of three axes: two slabs per axis, nested, and the
// interior, which reads nothing but u.

// CHECK-LABEL: func @layers
// CHECK: %[[U:.*]] = stencil.load %arg0
// CHECK: %[[S0:.*]] = stencil.apply(%{{.*}} = %[[U]] : {{.*}}, %{{.*}} = %{{.*}} : {{.*}})
// CHECK-NOT: scf.if
// CHECK: arith.mulf
// CHECK: %[[I:.*]] = stencil.apply(%[[X:.*]] = %[[U]] : !stencil.temp<?x?x?xf64>) ->
// CHECK-NEXT: %[[C:.*]] = stencil.access %[[X]][0, 0, 0]
// CHECK-NEXT: stencil.return %[[C]] : f64
// CHECK: stencil.store %[[S0]] to %arg2(<[0, 0, 0], [4, 48, 32]>)
// CHECK: stencil.store %{{.*}} to %arg2(<[4, 0, 0], [60, 5, 32]>)
// CHECK: stencil.store %{{.*}} to %arg2(<[4, 5, 0], [60, 43, 6]>)
// CHECK: stencil.store %[[I]] to %arg2(<[4, 5, 6], [60, 43, 26]>)
// CHECK: stencil.store %{{.*}} to %arg2(<[4, 5, 26], [60, 43, 32]>)
// CHECK: stencil.store %{{.*}} to %arg2(<[4, 43, 0], [60, 48, 32]>)
// CHECK: stencil.store %{{.*}} to %arg2(<[60, 0, 0], [64, 48, 32]>)
// CHECK-NEXT: return

// Divided along two axes: rows are whole, and branch on where in them a point is.

// ROWS-LABEL: func @layers
// ROWS-COUNT-2: stencil.apply
// ROWS-NOT: scf.if
// ROWS: %[[I:.*]] = stencil.apply({{.*}}) -> ({{.*}}) attributes {stencil.region = #stencil.bounds<[4, 5, 0], [60, 43, 32]>} {
// ROWS: stencil.index 2
// ROWS-NOT: stencil.index
// ROWS: scf.if
// ROWS-COUNT-2: stencil.apply
// ROWS-NOT: scf.if
// ROWS: stencil.store %{{.*}} to %arg2(<[0, 0, 0], [4, 48, 32]>)
// ROWS-NEXT: stencil.store %{{.*}} to %arg2(<[4, 0, 0], [60, 5, 32]>)
// ROWS-NEXT: stencil.store %[[I]] to %arg2(<[4, 5, 0], [60, 43, 32]>)
// ROWS-NEXT: stencil.store %{{.*}} to %arg2(<[4, 43, 0], [60, 48, 32]>)
// ROWS-NEXT: stencil.store %{{.*}} to %arg2(<[60, 0, 0], [64, 48, 32]>)
// ROWS-NEXT: return

// Two: all points, with the branch, but nothing is stored in the interior.

// TWO-LABEL: func @layers
// TWO: %[[REST:.*]] = stencil.apply({{.*}}) -> ({{.*}}) attributes {stencil.region = #stencil.bounds<[0, 0, 0], [64, 48, 32]>, stencil.regions = "keep"}
// TWO: scf.if %{{.*}} -> (!stencil.result<f64>) {
// TWO-NEXT: stencil.store_result : !stencil.result<f64>
// TWO: scf.if
// TWO: %[[I:.*]] = stencil.apply(
// TWO-NOT: scf.if
// TWO: stencil.store %[[REST]] to %arg2(<[0, 0, 0], [64, 48, 32]>)
// TWO: stencil.store %[[I]] to %arg2(<[4, 5, 6], [60, 43, 26]>)
// TWO-NEXT: return

func.func @layers(%u: !field, %eta: !field, %v: !field) {
  %tu = stencil.load %u : !field -> !temp
  %te = stencil.load %eta : !field -> !temp
  %r = stencil.apply(%x = %tu : !temp, %e = %te : !temp) -> (!temp) {
    %i = stencil.index 0 <[0, 0, 0]>
    %j = stencil.index 1 <[0, 0, 0]>
    %k = stencil.index 2 <[0, 0, 0]>
    %c4 = arith.constant 4 : index
    %c60 = arith.constant 60 : index
    %c5 = arith.constant 5 : index
    %c43 = arith.constant 43 : index
    %c6 = arith.constant 6 : index
    %c26 = arith.constant 26 : index
    %i0 = arith.cmpi slt, %i, %c4 : index
    %i1 = arith.cmpi sge, %i, %c60 : index
    %j0 = arith.cmpi slt, %j, %c5 : index
    %j1 = arith.cmpi sge, %j, %c43 : index
    %k0 = arith.cmpi slt, %k, %c6 : index
    %k1 = arith.cmpi sge, %k, %c26 : index
    %oi = arith.ori %i0, %i1 : i1
    %oj = arith.ori %j0, %j1 : i1
    %ok = arith.ori %k0, %k1 : i1
    %oij = arith.ori %oi, %oj : i1
    %layer = arith.ori %oij, %ok : i1
    %c = stencil.access %x[0, 0, 0] : !temp
    %res = scf.if %layer -> (f64) {
      %d = stencil.access %e[0, 0, 0] : !temp
      %p = arith.mulf %c, %d : f64
      scf.yield %p : f64
    } else {
      scf.yield %c : f64
    }
    stencil.return %res : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [64, 48, 32]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,?]xf64>
!temp = !stencil.temp<?xf64>

// A select; the bound comes from outside; the extent is not known.

// CHECK-LABEL: func @symbolic
// CHECK-NOT: arith.select
// CHECK: stencil.store %{{.*}} to %arg0(<[0], [7]>)
// CHECK-NEXT: stencil.store %{{.*}} to %arg0(<[7], [?]>)

func.func @symbolic(%f: !field) {
  %t = stencil.load %f : !field -> !temp
  %c5 = arith.constant 5 : i64
  %r = stencil.apply(%x = %t : !temp, %b = %c5 : i64) -> (!temp) {
    %i = stencil.index 0 <[-2]>
    %i64 = arith.index_cast %i : index to i64
    %low = arith.cmpi ult, %i64, %b : i64
    %neg = arith.constant 0 : i64
    %isneg = arith.cmpi slt, %i64, %neg : i64
    %any = arith.ori %low, %isneg : i1
    %c = stencil.access %x[0] : !temp
    %twice = arith.addf %c, %c : f64
    %s = arith.select %any, %twice, %c : f64
    stencil.return %s : f64
  }
  stencil.store %r to %f(<[0], [?]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,20]x[0,20]xf64>
!temp = !stencil.temp<?x?xf64>

// Several results: one stores nothing in one region, one is read at neighbours.

// CHECK-LABEL: func @results
// CHECK: %[[A:.*]]:2 = stencil.apply
// CHECK-NOT: stencil.store_result
// CHECK: %[[B:.*]] = stencil.apply
// CHECK-NOT: stencil.store_result
// CHECK: %[[V:.*]] = stencil.combine 1 at 8 lower = (%[[A]]#1 : !stencil.temp<?x?xf64>) upper = (%[[B]] : !stencil.temp<?x?xf64>)
// CHECK: stencil.apply(%{{.*}} = %[[V]] :
// CHECK: stencil.store %[[A]]#0 to %arg1(<[0, 2], [20, 8]>)
// CHECK-NOT: to %arg1

func.func @results(%f: !field, %g: !field, %h: !field) {
  %t = stencil.load %f : !field -> !temp
  %r:2 = stencil.apply(%x = %t : !temp) -> (!temp, !temp) {
    %j = stencil.index 1 <[0, 0]>
    %c8 = arith.constant 8 : index
    %low = arith.cmpi slt, %j, %c8 : index
    %c = stencil.access %x[0, 0] : !temp
    %a, %b = scf.if %low -> (!stencil.result<f64>, f64) {
      %s = stencil.store_result %c : !stencil.result<f64>
      scf.yield %s, %c : !stencil.result<f64>, f64
    } else {
      %n = stencil.store_result : !stencil.result<f64>
      %d = arith.addf %c, %c : f64
      scf.yield %n, %d : !stencil.result<f64>, f64
    }
    stencil.return %a, %b : !stencil.result<f64>, f64
  }
  %q = stencil.apply(%x = %r#1 : !temp) -> (!temp) {
    %w = stencil.access %x[0, -1] : !temp
    stencil.return %w : f64
  }
  stencil.store %r#0 to %g(<[0, 2], [20, 20]>) : !temp to !field
  stencil.store %q to %h(<[0, 1], [20, 20]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,20]xf64>
!temp = !stencil.temp<?xf64>

// An unrolled body starts at every fourth point: the cut is where no body is.
// The one with points on both sides keeps its branch.

// CHECK-LABEL: func @unrolled
// CHECK: stencil.apply
// CHECK-NOT: arith.select
// CHECK: stencil.apply
// CHECK-NOT: arith.select
// CHECK: stencil.store %{{.*}} to %arg0(<[0], [8]>)
// CHECK-NEXT: stencil.store %{{.*}} to %arg0(<[8], [20]>)

func.func @unrolled(%f: !field) {
  %t = stencil.load %f : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %i = stencil.index 0 <[0]>
    %c6 = arith.constant 6 : index
    %low = arith.cmpi slt, %i, %c6 : index
    %a = stencil.access %x[0] : !temp
    %b = stencil.access %x[1] : !temp
    %c = stencil.access %x[2] : !temp
    %d = stencil.access %x[3] : !temp
    %s = arith.select %low, %b, %a : f64
    stencil.return %s, %b, %c, %d unroll <[4]> : f64, f64, f64, f64
  }
  stencil.store %r to %f(<[0], [20]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,20]x[0,20]xf64>

// Bufferised; what is true at no point of the domain costs nothing.

// CHECK-LABEL: func @bufferised
// CHECK: stencil.apply({{.*}}) outs (%arg1
// CHECK: } to <[0, 0], [20, 3]>
// CHECK: stencil.apply({{.*}}) outs (%arg1
// CHECK: } to <[0, 3], [20, 20]>
// CHECK-NOT: stencil.apply

func.func @bufferised(%f: !field, %g: !field) {
  stencil.apply(%x = %f : !field) outs (%g : !field) {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %c3 = arith.constant 3 : index
    %c20 = arith.constant 20 : index
    %low = arith.cmpi slt, %j, %c3 : index
    %high = arith.cmpi sgt, %i, %c20 : index
    %any = arith.ori %low, %high : i1
    %c = stencil.access %x[0, 0] : !field
    %twice = arith.addf %c, %c : f64
    %s = arith.select %any, %twice, %c : f64
    stencil.return %s : f64
  } to <[0, 0], [20, 20]>
  return
}

// -----

!field = !stencil.field<[0,20]xf64>
!temp = !stencil.temp<?xf64>

// What a sum evaluates at other points may go the other way there: it is not
// decided. What the point itself needs is.

// CHECK-LABEL: func @shifted
// CHECK: stencil.apply
// CHECK: %[[S:.*]] = arith.select
// CHECK: %[[W:.*]] = stencil.weighted_sum %[[S]]
// CHECK-NOT: arith.select
// CHECK: stencil.apply
// CHECK: %[[S:.*]] = arith.select
// CHECK: %[[W:.*]] = stencil.weighted_sum %[[S]]
// CHECK-NEXT: stencil.return %[[W]]
// CHECK: stencil.store %{{.*}} to %arg1(<[1], [8]>)
// CHECK-NEXT: stencil.store %{{.*}} to %arg1(<[8], [19]>)

func.func @shifted(%f: !field, %g: !field) {
  %t = stencil.load %f : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %i = stencil.index 0 <[0]>
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %isLow = arith.cmpi slt, %i, %c6 : index
    %c = stencil.access %x[0] : !temp
    %d = arith.addf %c, %c : f64
    %s = arith.select %isLow, %c, %d : f64
    %w = stencil.weighted_sum %s offsets [[-1], [1]] weights dense<[1.0, 2.0]> : tensor<2xf64> : f64
    %isLower = arith.cmpi slt, %i, %c8 : index
    %n = arith.negf %w : f64
    %res = arith.select %isLower, %n, %w : f64
    stencil.return %res : f64
  }
  stencil.store %r to %g(<[1], [19]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[0,20]x[0,30]xf64>
!temp = !stencil.temp<?x?xf64>

// What an apply says of its axes has precedence, and stays.

// CHECK-LABEL: func @columns
// CHECK-COUNT-2: stencil.apply({{.*}} stencil.region_axes = array<i64: 1>
// CHECK: stencil.store %{{.*}} to %arg1(<[0, 0], [20, 7]>)
// CHECK-NEXT: stencil.store %{{.*}} to %arg1(<[0, 7], [20, 30]>)
// CHECK-NEXT: return
// ROWS-LABEL: func @columns
// ROWS: stencil.store %{{.*}} to %arg1(<[0, 7], [20, 30]>)
// TWO-LABEL: func @columns
// TWO: stencil.store %{{.*}} to %arg1(<[0, 7], [20, 30]>)

func.func @columns(%f: !field, %g: !field) {
  %t = stencil.load %f : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.region_axes = array<i64: 1>} {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %a = arith.cmpi slt, %i, %c5 : index
    %b = arith.cmpi slt, %j, %c7 : index
    %c = stencil.access %x[0, 0] : !temp
    %d = arith.addf %c, %c : f64
    %s = arith.select %a, %d, %c : f64
    %q = arith.mulf %s, %d : f64
    %v = arith.select %b, %q, %s : f64
    stencil.return %v : f64
  }
  stencil.store %r to %g(<[0, 0], [20, 30]>) : !temp to !field
  return
}
