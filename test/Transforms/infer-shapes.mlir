// RUN: stencil-opt %s --stencil-infer-shapes --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-infer-shapes --split-input-file | stencil-opt --stencil-infer-shapes --split-input-file | FileCheck %s

// Every access shifts the box; types in the body follow.
// CHECK-LABEL: func.func @shifts
// CHECK: %[[L:.*]] = stencil.load {{.*}} -> !stencil.temp<[-1,63]xf64>
// CHECK: %[[R:.*]] = stencil.load {{.*}} -> !stencil.temp<[1,65]xf64>
// CHECK: stencil.apply(%[[X:.*]] = %[[L]] : !stencil.temp<[-1,63]xf64>, %{{.*}} = %[[R]] : !stencil.temp<[1,65]xf64>) -> (!stencil.temp<[0,64]xf64>)
// CHECK: stencil.access %[[X]][-1] : !stencil.temp<[-1,63]xf64>
!field = !stencil.field<[-4,68]xf64>
!temp = !stencil.temp<?xf64>
func.func @shifts(%out: !field, %left: !field, %right: !field) {
  %l = stencil.load %left : !field -> !temp
  %r = stencil.load %right : !field -> !temp
  %t = stencil.apply(%x = %l : !temp, %y = %r : !temp) -> (!temp) {
    %a = stencil.access %x[-1] : !temp
    %b = stencil.access %y[1] : !temp
    %o = arith.addf %a, %b : f64
    stencil.return %o : f64
  }
  stencil.store %t to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

// A chain; several users demand the hull; accesses in branches and loops count.
// CHECK-LABEL: func.func @chain
// CHECK: stencil.load {{.*}} -> !stencil.temp<[-4,67]xf64>
// CHECK: %[[A:.*]] = stencil.apply({{.*}}) -> (!stencil.temp<[-2,66]xf64>)
// CHECK: stencil.apply({{.*}} = %[[A]] : {{.*}}) -> (!stencil.temp<[0,64]xf64>)
!field = !stencil.field<[-4,68]xf64>
!temp = !stencil.temp<?xf64>
func.func @chain(%in: !field, %out: !field, %out2: !field, %p: i1) {
  %l = stencil.load %in : !field -> !temp
  %a = stencil.apply(%x = %l : !temp, %q = %p : i1) -> (!temp) {
    %v = scf.if %q -> (f64) {
      %m = stencil.access %x[-2] : !temp
      scf.yield %m : f64
    } else {
      %m = stencil.access %x[1] : !temp
      scf.yield %m : f64
    }
    stencil.return %v : f64
  }
  %b = stencil.apply(%x = %a : !temp) -> (!temp) {
    %v = stencil.access %x[2] : !temp
    stencil.return %v : f64
  }
  stencil.store %b to %out(<[0], [64]>) : !temp to !field
  stencil.store %a to %out2(<[-2], [3]>) : !temp to !field
  return
}

// -----

// All results of an apply have one box. What nobody needs disappears.
// CHECK-LABEL: func.func @results
// CHECK-NOT: stencil.load
// CHECK: stencil.apply(%{{.*}} = %arg2 : f64) -> (!stencil.temp<[0,32]xf64>, !stencil.temp<[0,32]xf64>)
// CHECK-NOT: stencil.apply
!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @results(%in: !field, %out: !field, %c: f64) {
  %l = stencil.load %in : !field -> !temp
  %a, %b = stencil.apply(%x = %l : !temp, %v = %c : f64) -> (!temp, !temp) {
    stencil.return %v, %v : f64, f64
  }
  %dead = stencil.apply(%x = %l : !temp) -> (!temp) {
    %v = stencil.access %x[0] : !temp
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0], [16]>) : !temp to !field
  stencil.store %b to %out(<[16], [32]>) : !temp to !field
  return
}

// -----

// Each side of a combine has its part; extra operands pass through.
// CHECK-LABEL: func.func @combine
// CHECK: %[[A:.*]] = stencil.apply() -> (!stencil.temp<[0,11]x[0,8]xf64>)
// CHECK: %[[B:.*]] = stencil.apply() -> (!stencil.temp<[11,64]x[0,8]xf64>)
// CHECK: %[[C:.*]] = stencil.apply() -> (!stencil.temp<[0,4]x[0,8]xf64>)
// CHECK: stencil.combine 0 at 11 {{.*}} : !stencil.temp<[0,64]x[0,8]xf64>, !stencil.temp<[0,4]x[0,8]xf64>
!field = !stencil.field<[0,64]x[0,8]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @combine(%out: !field, %out2: !field) {
  %a = stencil.apply() -> (!temp) {
    %v = arith.constant 1.0 : f64
    stencil.return %v : f64
  }
  %b = stencil.apply() -> (!temp) {
    %v = arith.constant 2.0 : f64
    stencil.return %v : f64
  }
  %c = stencil.apply() -> (!temp) {
    %v = arith.constant 3.0 : f64
    stencil.return %v : f64
  }
  %r, %s = stencil.combine 0 at 11 lower = (%a : !temp) upper = (%b : !temp) lowerext = %c : !temp : !temp, !temp
  stencil.store %r to %out(<[0, 0], [64, 8]>) : !temp to !field
  stencil.store %s to %out2(<[0, 0], [4, 8]>) : !temp to !field
  return
}

// -----

// A side without points, and a pair without use.
// CHECK-LABEL: func.func @combine_one_side
// CHECK: %[[B:.*]] = stencil.apply() -> (!stencil.temp<[16,64]xf64>)
// CHECK-NOT: stencil.apply
// CHECK: stencil.combine 0 at 11 lower = (%[[B]] : {{.*}}) upper = (%[[B]] : {{.*}}) : !stencil.temp<[16,64]xf64>
!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @combine_one_side(%out: !field) {
  %a = stencil.apply() -> (!temp) {
    %v = arith.constant 1.0 : f64
    stencil.return %v : f64
  }
  %b = stencil.apply() -> (!temp) {
    %v = arith.constant 2.0 : f64
    stencil.return %v : f64
  }
  %c = stencil.apply() -> (!temp) {
    %v = arith.constant 3.0 : f64
    stencil.return %v : f64
  }
  %r, %s = stencil.combine 0 at 11 lower = (%a, %c : !temp, !temp) upper = (%b, %c : !temp, !temp) : !temp, !temp
  stencil.store %r to %out(<[16], [64]>) : !temp to !field
  return
}

// -----

// A buffer has the box of its operand, even if its users need less.
// CHECK-LABEL: func.func @buffer
// CHECK: %[[A:.*]]:2 = stencil.apply() -> (!stencil.temp<[0,64]xf64>, !stencil.temp<[0,64]xf64>)
// CHECK: stencil.buffer %[[A]]#0 : !stencil.temp<[0,64]xf64> -> !stencil.temp<[0,64]xf64>
!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @buffer(%out: !field, %out2: !field) {
  %a, %b = stencil.apply() -> (!temp, !temp) {
    %v = arith.constant 1.0 : f64
    stencil.return %v, %v : f64, f64
  }
  %c = stencil.buffer %a : !temp -> !temp
  stencil.store %c to %out(<[8], [16]>) : !temp to !field
  stencil.store %b to %out2(<[0], [64]>) : !temp to !field
  return
}

// -----

// The range of a dynamic access, both ends included; a fold demands, too.
// CHECK-LABEL: func.func @dynamic
// CHECK: stencil.load {{.*}} -> !stencil.temp<[-1,65]x[-2,66]xf64>
!field = !stencil.field<[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @dynamic(%in: !field) -> f64 {
  %l = stencil.load %in : !field -> !temp
  %a = stencil.apply(%x = %l : !temp) -> (!temp) {
    %i = stencil.index 0 <[0, 0]>
    %v = stencil.dyn_access %x[%i, %i] in <[-1, -2]> : <[1, 2]> : !temp
    stencil.return %v : f64
  }
  %m = stencil.fold %a(<[0, 0], [64, 64]>) max : !temp
  return %m : f64
}

// -----

// Inputs of lower rank get the boxes of the axes that they have.
// CHECK-LABEL: func.func @lower_rank
// CHECK: stencil.load {{.*}} -> !stencil.temp<[-1,31]xf64>
// CHECK: stencil.load {{.*}} -> !stencil.temp<[0,?]xf64>
!out = !stencil.field<[0,?]x[0,32]xf64>
!row = !stencil.field<[-1,32]xf64>
!col = !stencil.field<[0,?]xf64>
func.func @lower_rank(%row: !row, %col: !col, %out: !out) {
  %r = stencil.load %row : !row -> !stencil.temp<?xf64>
  %c = stencil.load %col : !col -> !stencil.temp<?xf64>
  %a = stencil.apply(%x = %r : !stencil.temp<?xf64>, %y = %c : !stencil.temp<?xf64>) -> (!stencil.temp<?x?xf64>) {
    %v = stencil.access %x[_, -1] : !stencil.temp<?xf64>
    %w = stencil.access %y[0, _] : !stencil.temp<?xf64>
    %s = arith.addf %v, %w : f64
    stencil.return %s : f64
  }
  stencil.store %a to %out(<[0, 0], [?, 32]>) : !stencil.temp<?x?xf64> to !out
  return
}

// -----

// An unrolled body runs at every fourth point: the last one is at 60.
// CHECK-LABEL: func.func @unrolled
// CHECK: stencil.load {{.*}} -> !stencil.temp<[-1,64]xf64>
!field = !stencil.field<[-1,64]xf64>
!temp = !stencil.temp<?xf64>
func.func @unrolled(%in: !field, %out: !field) {
  %l = stencil.load %in : !field -> !temp
  %a = stencil.apply(%x = %l : !temp) -> (!temp) {
    %m = stencil.access %x[-1] : !temp
    %p = stencil.access %x[3] : !temp
    stencil.return %m, %m, %p, %p unroll <[4]> : f64, f64, f64, f64
  }
  stencil.store %a to %out(<[0], [64]>) : !temp to !field
  return
}

// -----

// A value from before the loop, fields that are swapped, bounds relative to the
// extent, and the smallest extent for which they mean what was inferred: the store
// of [4,9) lies in [0,N).
// CHECK-LABEL: func.func @time_loop
// CHECK-SAME: stencil.minimal_extents = array<i64: 9>
// CHECK: %[[K:.*]] = stencil.load {{.*}} -> !stencil.temp<[0,?]xf64>
// CHECK: scf.for
// CHECK: stencil.load {{.*}} -> !stencil.temp<[-1,?+1]xf64>
// CHECK: stencil.apply({{.*}}, %{{.*}} = %[[K]] : !stencil.temp<[0,?]xf64>) -> (!stencil.temp<[0,?]xf64>)
!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>
func.func @time_loop(%arg0: !stencil.field<?xf64>, %arg1: !stencil.field<?xf64>, %arg2: !stencil.field<?xf64>, %n: index) {
  %f0 = stencil.cast %arg0 : !stencil.field<?xf64> -> !field
  %f1 = stencil.cast %arg1 : !stencil.field<?xf64> -> !field
  %f2 = stencil.cast %arg2 : !stencil.field<?xf64> -> !field
  %k = stencil.load %f2 : !field -> !temp
  %r:2 = scf.for %i = %n to %n step %n iter_args(%u = %f0, %v = %f1) -> (!field, !field) {
    %l = stencil.load %u : !field -> !temp
    %a = stencil.apply(%x = %l : !temp, %y = %k : !temp) -> (!temp) {
      %p = stencil.access %x[-1] : !temp
      %q = stencil.access %x[1] : !temp
      %c = stencil.access %y[0] : !temp
      %s = arith.addf %p, %q : f64
      %t = arith.mulf %c, %s : f64
      stencil.return %t : f64
    }
    stencil.store %a to %v(<[0], [?]>) : !temp to !field
    stencil.store %a to %u(<[4], [9]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

// Bounds that are there already stay, and are what is evaluated.
// CHECK-LABEL: func.func @sized
// CHECK: stencil.load {{.*}} -> !stencil.temp<[-1,63]xf64>
// CHECK: stencil.apply({{.*}}) -> (!stencil.temp<[0,64]xf64>)
!field = !stencil.field<[-4,68]xf64>
func.func @sized(%in: !field, %out: !field) {
  %l = stencil.load %in : !field -> !stencil.temp<?xf64>
  %a = stencil.apply(%x = %l : !stencil.temp<?xf64>) -> (!stencil.temp<[0,64]xf64>) {
    %v = stencil.access %x[-1] : !stencil.temp<?xf64>
    stencil.return %v : f64
  }
  stencil.store %a to %out(<[0], [32]>) : !stencil.temp<[0,64]xf64> to !field
  return
}

// -----

// A bufferised apply demands of the values that it reads.
// CHECK-LABEL: func.func @bufferised
// CHECK: stencil.load {{.*}} -> !stencil.temp<[1,65]xf64>
// CHECK: stencil.apply(%{{.*}} = %{{.*}} : !stencil.temp<[1,65]xf64>) outs
!field = !stencil.field<[-4,68]xf64>
func.func @bufferised(%in: !field, %out: !field) {
  %l = stencil.load %in : !field -> !stencil.temp<?xf64>
  stencil.apply(%x = %l : !stencil.temp<?xf64>) outs (%out : !field) {
    %v = stencil.access %x[1] : !stencil.temp<?xf64>
    stencil.return %v : f64
  } to <[0], [64]>
  return
}

// -----

// Bounds that are given may go beyond the side on which a result is defined, as
// in programs of Open Earth Compiler.
// CHECK-LABEL: func.func @given_bounds_of_extra_results
// CHECK: stencil.combine 0 at 4
// CHECK-SAME: : !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>
!field = !stencil.field<[0,8]xf64>
!lower = !stencil.temp<[0,4]xf64>
!upper = !stencil.temp<[4,8]xf64>
!both = !stencil.temp<[0,8]xf64>
func.func @given_bounds_of_extra_results(%f: !field, %g: !field, %h: !field, %k: f64) {
  %l:2 = stencil.apply(%c = %k : f64) -> (!lower, !lower) {
    %d = arith.negf %c : f64
    stencil.return %c, %d : f64, f64
  }
  %u:2 = stencil.apply(%c = %k : f64) -> (!upper, !upper) {
    %d = arith.negf %c : f64
    stencil.return %c, %d : f64, f64
  }
  %r:3 = stencil.combine 0 at 4 lower = (%l#0 : !lower) upper = (%u#0 : !upper) lowerext = %l#1 : !lower upperext = %u#1 : !upper : !both, !both, !both
  stencil.store %r#0 to %f(<[0], [8]>) : !both to !field
  stencil.store %r#1 to %g(<[0], [4]>) : !both to !field
  stencil.store %r#2 to %h(<[4], [8]>) : !both to !field
  return
}
