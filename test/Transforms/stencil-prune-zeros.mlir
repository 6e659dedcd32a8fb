// RUN: stencil-opt %s --stencil-prune-zeros --split-input-file > %t.once.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,CONTRACT < %t.once.mlir
// RUN: stencil-opt %t.once.mlir --stencil-prune-zeros --split-input-file | diff %t.once.mlir -
// RUN: stencil-opt %s --stencil-prune-zeros=math=strict --split-input-file | diff %t.once.mlir -
// RUN: stencil-opt %s --stencil-prune-zeros=math=reassociate --split-input-file | FileCheck %s --check-prefixes=CHECK,REASSOCIATE

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// Taps that are none, inputs without taps, their loads. A body that adds what
// is zero keeps the sum: -0 + 0 is 0.
// CHECK-LABEL: @taps
func.func @taps(%f: !f1, %g: !f1, %h: !f1) {
  // CHECK: %[[T:.*]] = stencil.load %arg0
  // CHECK-NOT: stencil.load
  %t = stencil.load %f : !f1 -> !t1
  %u = stencil.load %g : !f1 -> !t1
  // CHECK: stencil.apply(%{{.*}} = %[[T]] : !stencil.temp<?xf64>) ->
  %r = stencil.apply(%x = %t : !t1, %y = %u : !t1) -> (!t1) {
    // CHECK: %[[A:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights dense<[1.000000e+00, 2.000000e+00]>
    // CONTRACT: arith.addf %[[A]], %cst
    // REASSOCIATE-NEXT: stencil.return %[[A]]
    %a = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[1.0, 0.0, 2.0]> : tensor<3xf64> : !t1
    %b = stencil.weighted_sum %y offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !t1
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  }
  stencil.store %r to %h(<[0], [64]>) : !t1 to !f1
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// Zero times infinity is no number, unless the flags say that there is none.
// CHECK-LABEL: @products
func.func @products(%f: !f1, %h: !f1, %i: !f1, %j: !f1, %k: !f1) {
  %t = stencil.load %f : !f1 -> !t1
  // CHECK: %[[R:.*]]:4 = stencil.apply
  %r:4 = stencil.apply(%x = %t : !t1) -> (!t1, !t1, !t1, !t1) {
    %zero = arith.constant 0.0 : f64
    %v = stencil.access %x[0] : !t1
    %w = stencil.access %x[1] : !t1
    // CONTRACT: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
    // CONTRACT: %[[A:.*]] = arith.addf %{{.*}}, %[[P]] : f64
    // REASSOCIATE-NOT: arith.mulf
    %p = arith.mulf %zero, %v : f64
    %a = arith.addf %w, %p : f64
    // CHECK-NOT: fastmath
    %q = arith.mulf %v, %zero fastmath<nnan,nsz> : f64
    %b = arith.addf %w, %q fastmath<nsz> : f64
    // CONTRACT: %[[C:.*]] = arith.subf
    %c = arith.subf %v, %v : f64
    %d0 = math.fma %zero, %v, %w fastmath<nnan,nsz> : f64
    %d1 = arith.subf %v, %v fastmath<nnan> : f64
    %d = arith.addf %d0, %d1 fastmath<nsz> : f64
    // CONTRACT: stencil.return %[[A]], %[[W:.*]], %[[C]], %[[W]]
    // REASSOCIATE: stencil.return %[[W:.*]], %[[W]], %{{.*}}, %[[W]]
    stencil.return %a, %b, %c, %d : f64, f64, f64, f64
  }
  stencil.store %r#0 to %h(<[0], [64]>) : !t1 to !f1
  stencil.store %r#1 to %i(<[0], [64]>) : !t1 to !f1
  stencil.store %r#2 to %j(<[0], [64]>) : !t1 to !f1
  stencil.store %r#3 to %k(<[0], [64]>) : !t1 to !f1
  return
}

// -----

!f1 = !stencil.field<[-2,66]xi32>
!t1 = !stencil.temp<?xi32>

// Integers have no such values.
// CHECK-LABEL: @integers
func.func @integers(%f: !f1, %h: !f1) {
  // CHECK-NOT: stencil.load
  %t = stencil.load %f : !f1 -> !t1
  // CHECK: stencil.apply() ->
  %r = stencil.apply(%x = %t : !t1) -> (!t1) {
    // CHECK: %[[C:.*]] = arith.constant 5 : i32
    // CHECK-NOT: arith.
    // CHECK: stencil.return %[[C]]
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
    %v = stencil.access %x[0] : !t1
    %p = arith.muli %zero, %v : i32
    %d = arith.subi %v, %v : i32
    %a = arith.addi %five, %p : i32
    %b = arith.subi %a, %d : i32
    stencil.return %b : i32
  }
  stencil.store %r to %h(<[0], [64]>) : !t1 to !f1
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// A result that is one number everywhere: across applies, buffers, combines.
// CHECK-LABEL: @constants
func.func @constants(%f: !f1, %g: !f1, %h: !f1) {
  // CHECK: %[[T:.*]] = stencil.load %arg0
  // CHECK-NOT: stencil.load
  // CHECK-NOT: stencil.{{combine|buffer}}
  %t = stencil.load %f : !f1 -> !t1
  %u = stencil.load %g : !f1 -> !t1
  %two:2 = stencil.apply(%x = %u : !t1) -> (!t1, !t1) {
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !t1
    %c = arith.constant 2.0 : f64
    %v = arith.addf %s, %c : f64
    stencil.return %v, %s : f64, f64
  }
  %b = stencil.buffer %two#0 : !t1 -> !t1
  %z:2 = stencil.combine 0 at 11 lower = (%b : !t1) upper = (%b : !t1) lowerext = %b : !t1 : !t1, !t1
  // CHECK: %[[R:.*]] = stencil.apply(%[[X:.*]] = %[[T]] : !stencil.temp<?xf64>) ->
  %r = stencil.apply(%x = %t : !t1, %y = %z#0 : !t1, %w = %z#1 : !t1) -> (!t1) {
    // 2 * (0.5 + 1) = 3; 3 * 2 = 6.
    // CHECK: %[[A:.*]] = stencil.access %[[X]][0]
    // CHECK: %[[SIX:.*]] = arith.constant 6.000000e+00
    // CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[SIX]]
    // CHECK: stencil.return %[[B]]
    %a = stencil.access %x[0] : !t1
    %s = stencil.weighted_sum %y offsets [[-1], [1]] weights dense<[0.5, 1.0]> : tensor<2xf64> : !t1
    %v = stencil.access %w[-3] : !t1
    %k = arith.mulf %s, %v : f64
    %p = arith.mulf %a, %k : f64
    stencil.return %p : f64
  }
  stencil.store %r to %h(<[0], [64]>) : !t1 to !f1
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// Results that nobody reads any more, up through the chain.
// CHECK-LABEL: @chain
func.func @chain(%f: !f1, %g: !f1, %h: !f1) {
  // CHECK: %[[T:.*]] = stencil.load %arg0
  // CHECK-NOT: stencil.load
  %t = stencil.load %f : !f1 -> !t1
  %u = stencil.load %g : !f1 -> !t1
  // CHECK: %[[A:.*]] = stencil.apply(%{{.*}} = %[[T]] : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) attributes {test.kept}
  // CHECK-NOT: stencil.access
  // CHECK: stencil.weighted_sum
  // CHECK-NOT: stencil.apply(%{{.*}}, %{{.*}})
  %a:3 = stencil.apply(%x = %t : !t1, %y = %u : !t1) -> (!t1, !t1, !t1) attributes {test.kept} {
    %v = stencil.access %x[0] : !t1
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<1.0> : tensor<2xf64> : !t1
    %w = stencil.access %y[0] : !t1
    stencil.return %v, %s, %w : f64, f64, f64
  }
  %b = stencil.apply(%x = %a#0 : !t1, %y = %a#2 : !t1) -> (!t1) {
    %v = stencil.access %x[0] : !t1
    %w = stencil.access %y[0] : !t1
    %s = arith.addf %v, %w : f64
    stencil.return %s : f64
  }
  %c:3 = stencil.combine 0 at 11 lower = (%a#1, %b : !t1, !t1) upper = (%a#1, %b : !t1, !t1) upperext = %b : !t1 : !t1, !t1, !t1
  // CHECK: %[[C:.*]] = stencil.combine 0 at 11 lower = (%[[A]] : !stencil.temp<?xf64>) upper = (%[[A]] : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  // CHECK: %[[D:.*]] = stencil.apply(%{{.*}} = %[[C]] : !stencil.temp<?xf64>) ->
  %d = stencil.apply(%x = %c#0 : !t1, %y = %c#1 : !t1, %z = %c#2 : !t1) -> (!t1) {
    %v = stencil.access %x[0] : !t1
    %s = stencil.weighted_sum %y offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !t1
    %w = stencil.access %z[0] : !t1
    %n = arith.mulf %w, %s fastmath<nnan,nsz> : f64
    %r = arith.subf %v, %n : f64
    stencil.return %r : f64
  }
  stencil.store %d to %h(<[0], [64]>) : !t1 to !f1
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// What is stored stays; unrolled and stored in part, too.
// CHECK-LABEL: @stays
func.func @stays(%f: !f1, %g: !f1, %h: !f1, %flag: i1) {
  %t = stencil.load %f : !f1 -> !t1
  %zero, %dead = stencil.apply(%x = %t : !t1) -> (!t1, !t1) {
    // CHECK: stencil.return %[[Z:.*]], %[[Z]] unroll <[2]> : f64, f64
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !t1
    %v = stencil.access %x[0] : !t1
    %w = stencil.access %x[1] : !t1
    stencil.return %s, %s, %v, %w unroll <[2]> : f64, f64, f64, f64
  }
  // CHECK: stencil.apply(%{{.*}} = %{{.*}} : !stencil.temp<?xf64>, %{{.*}} = %arg3 : i1)
  %some = stencil.apply(%x = %t : !t1, %c = %flag : i1) -> (!t1) {
    %v = stencil.access %x[0] : !t1
    %r = scf.if %c -> (!stencil.result<f64>) {
      %y = stencil.store_result %v : !stencil.result<f64>
      scf.yield %y : !stencil.result<f64>
    } else {
      %n = stencil.store_result : !stencil.result<f64>
      scf.yield %n : !stencil.result<f64>
    }
    stencil.return %r : !stencil.result<f64>
  }
  // CHECK-COUNT-2: stencil.store %
  stencil.store %zero to %g(<[0], [64]>) : !t1 to !f1
  stencil.store %some to %h(<[0], [64]>) : !t1 to !f1
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>

// Fields of a bufferised apply.
// CHECK-LABEL: @bufferised
func.func @bufferised(%f: !f1, %g: !f1, %h: !f1) {
  // CHECK: stencil.apply(%{{.*}} = %arg0 : !stencil.field<[-2,66]xf64>) outs (%arg2 : !stencil.field<[-2,66]xf64>)
  stencil.apply(%x = %f : !f1, %y = %g : !f1) outs (%h : !f1) {
    %a = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<1.0> : tensor<2xf64> : !f1
    %b = stencil.weighted_sum %y offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !f1
    %c = arith.addf %a, %b fastmath<nsz> : f64
    stencil.return %c : f64
  } to <[0], [64]>
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// A weight that is an operand is a product, also if it is a constant of zero.
// CHECK-LABEL: @scalar_weights
func.func @scalar_weights(%f: !f1, %g: !f1, %h: !f1) {
  %t = stencil.load %f : !f1 -> !t1
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r:2 = stencil.apply(%x = %t : !t1, %z = %zero : f64, %o = %one : f64) -> (!t1, !t1) {
    // CONTRACT: stencil.weighted_sum %{{.*}} offsets {{\[}}[-1], [1]] weights (%[[Z:.*]], %[[O:.*]])
    // REASSOCIATE: stencil.weighted_sum %{{.*}} offsets {{\[}}[1]] weights (%[[O:.*]])
    %a = stencil.weighted_sum %x offsets [[-1], [1]] weights (%z, %o) : !t1
    // CHECK: stencil.weighted_sum %{{.*}} fastmath<nnan,nsz> offsets {{\[}}[1]] weights (%[[O]])
    %b = stencil.weighted_sum %x fastmath<nnan,nsz> offsets [[-1], [1]] weights (%z, %o) : !t1
    stencil.return %a, %b : f64, f64
  }
  stencil.store %r#0 to %g(<[0], [64]>) : !t1 to !f1
  stencil.store %r#1 to %h(<[0], [64]>) : !t1 to !f1
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// Within a loop, and in branches of a body.
// CHECK-LABEL: @regions
func.func @regions(%f: !f1, %g: !f1, %steps: index, %flag: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: stencil.load %arg0
  // CHECK-NOT: stencil.load
  %u = stencil.load %f : !f1 -> !t1
  scf.for %i = %zero to %steps step %one {
    %t = stencil.load %g : !f1 -> !t1
    // CHECK: stencil.apply(%[[Y:.*]] = %{{.*}} : !stencil.temp<?xf64>, %{{.*}} = %arg3 : i1)
    %r = stencil.apply(%x = %t : !t1, %y = %u : !t1, %c = %flag : i1) -> (!t1) {
      // CHECK: scf.if
      // CHECK-NEXT: %[[Z:.*]] = arith.constant 0.000000e+00 : f64
      // CHECK-NEXT: scf.yield %[[Z]]
      %v = scf.if %c -> (f64) {
        %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !t1
        scf.yield %s : f64
      } else {
        %w = stencil.access %y[0] : !t1
        scf.yield %w : f64
      }
      stencil.return %v : f64
    }
    stencil.store %r to %g(<[0], [64]>) : !t1 to !f1
  }
  return
}

// -----

!f1 = !stencil.field<[-2,66]xf64>
!t1 = !stencil.temp<?xf64>

// Sums over values of the body.
// CHECK-LABEL: @body_values
func.func @body_values(%f: !f1, %g: !f1) {
  // CHECK-NOT: stencil.load
  %t = stencil.load %f : !f1 -> !t1
  // CHECK: stencil.apply() ->
  %r = stencil.apply(%x = %t : !t1) -> (!t1) {
    // CHECK: %[[C:.*]] = arith.constant 6.000000e+00
    // CHECK-NEXT: stencil.return %[[C]]
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.0> : tensor<2xf64> : !t1
    %two = arith.constant 2.0 : f64
    %c = arith.addf %s, %two : f64
    %d = stencil.weighted_sum %c offsets [[-1], [1]] weights dense<1.5> : tensor<2xf64> : f64
    stencil.return %d : f64
  }
  stencil.store %r to %g(<[0], [64]>) : !t1 to !f1
  return
}
