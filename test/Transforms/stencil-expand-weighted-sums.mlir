// RUN: stencil-opt %s --stencil-expand-weighted-sums --split-input-file | FileCheck %s

!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: @taps
func.func @taps(%u: !stencil.field<[-1,9]x[-1,9]xf64>, %v: !stencil.field<[-1,9]x[-1,9]xf64>, %k: f64) {
  %t = stencil.load %u : !stencil.field<[-1,9]x[-1,9]xf64> -> !temp
  // CHECK: stencil.apply(%[[X:.*]] = %{{.*}}, %[[C:.*]] = %arg2 : f64)
  %r:2 = stencil.apply(%x = %t : !temp, %c = %k : f64) -> (!temp, !temp) {
    // A weight of 1 or -1 is no multiplication, one of zero no tap.
    // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0
    // CHECK: %[[A:.*]] = stencil.access %[[X]][-1, 0]
    // CHECK: %[[NA:.*]] = arith.negf %[[A]] fastmath<nnan> : f64
    // CHECK: %[[B:.*]] = stencil.access %[[X]][0, 0]
    // CHECK: %[[PB:.*]] = arith.mulf %[[TWO]], %[[B]] fastmath<nnan> : f64
    // CHECK: %[[S1:.*]] = arith.addf %[[NA]], %[[PB]] fastmath<nnan> : f64
    // CHECK-NOT: stencil.access %[[X]][1, 1]
    // CHECK: %[[D:.*]] = stencil.access %[[X]][1, 0]
    // CHECK: %[[S2:.*]] = arith.subf %[[S1]], %[[D]] fastmath<nnan> : f64
    %s = stencil.weighted_sum %x fastmath<nnan> offsets [[-1, 0], [0, 0], [1, 1], [1, 0]] weights dense<[-1.0, 2.0, 0.0, -1.0]> : tensor<4xf64> : !temp
    // CHECK: %[[E:.*]] = stencil.access %[[X]][0, 1]
    // CHECK: %[[PE:.*]] = arith.mulf %[[C]], %[[E]] : f64
    %w = stencil.weighted_sum %x offsets [[0, 1]] weights (%c) : !temp
    // CHECK: stencil.return %[[S2]], %[[PE]]
    stencil.return %s, %w : f64, f64
  }
  stencil.store %r#0 to %v(<[0, 0], [8, 4]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  stencil.store %r#1 to %v(<[0, 4], [8, 8]>) : !temp to !stencil.field<[-1,9]x[-1,9]xf64>
  return
}

// -----

!temp = !stencil.temp<?x?xf32>

// What a value of the body depends on moves along: accesses, also of inputs of
// lower rank, coordinates, and ops in regions. The same point is copied once.
// CHECK-LABEL: @shifted
func.func @shifted(%u: !stencil.field<[-4,9]x[-4,9]xf32>, %l: !stencil.field<[-4,9]xf32>, %v: !stencil.field<[-4,9]x[-4,9]xf32>) {
  %t = stencil.load %u : !stencil.field<[-4,9]x[-4,9]xf32> -> !temp
  %m = stencil.load %l : !stencil.field<[-4,9]xf32> -> !stencil.temp<?xf32>
  %r = stencil.apply(%x = %t : !temp, %y = %m : !stencil.temp<?xf32>) -> (!temp) {
    // CHECK-NOT: stencil.access %{{.*}}[0, 0]
    // CHECK: stencil.access %{{.*}}[2, 1]
    // CHECK: stencil.access %{{.*}}[_, 0]
    // CHECK: stencil.index 0 <[1, 0]>
    // CHECK: %[[IF:.*]] = scf.if
    // CHECK: stencil.access %{{.*}}[2, -1]
    // CHECK: stencil.access %{{.*}}[3, 1]
    // CHECK-NOT: stencil.access
    %a = stencil.access %x[1, 1] : !temp
    %b = stencil.access %y[_, 0] : !stencil.temp<?xf32>
    %i = stencil.index 0 <[0, 0]>
    %zero = arith.constant 0 : index
    %isLow = arith.cmpi slt, %i, %zero : index
    %p = scf.if %isLow -> (f32) {
      %c = stencil.access %x[1, -1] : !temp
      scf.yield %c : f32
    } else {
      %q = arith.mulf %a, %b : f32
      scf.yield %q : f32
    }
    %s = stencil.weighted_sum %p offsets [[1, 0]] weights dense<1.0> : tensor<1xf32> : f32
    %z = stencil.weighted_sum %a offsets [[1, 0], [2, 0]] weights dense<1.0> : tensor<2xf32> : f32
    %o = arith.addf %s, %z : f32
    stencil.return %o : f32
  }
  stencil.store %r to %v(<[0, 0], [4, 4]>) : !temp to !stencil.field<[-4,9]x[-4,9]xf32>
  return
}

// -----

// Values that are summed in a wider type are extended first; integers wrap.
// CHECK-LABEL: @types
func.func @types(%u: !stencil.field<[-1,9]xf16>, %v: !stencil.field<[-1,9]xf32>, %i: !stencil.field<[-1,9]xi32>, %j: !stencil.field<[-1,9]xi32>) {
  %t = stencil.load %u : !stencil.field<[-1,9]xf16> -> !stencil.temp<?xf16>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf16>) -> (!stencil.temp<?xf32>) {
    // CHECK: %[[A:.*]] = stencil.access {{.*}} : !stencil.temp<?xf16>
    // CHECK: %[[E:.*]] = arith.extf %[[A]] : f16 to f32
    // CHECK: arith.mulf %{{.*}}, %[[E]] {stencil.rounded} : f32
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.1> : tensor<2xf32> : !stencil.temp<?xf16> -> f32
    stencil.return %s : f32
  }
  stencil.store %r to %v(<[0], [8]>) : !stencil.temp<?xf32> to !stencil.field<[-1,9]xf32>
  %k = stencil.load %i : !stencil.field<[-1,9]xi32> -> !stencil.temp<?xi32>
  %q = stencil.apply(%x = %k : !stencil.temp<?xi32>) -> (!stencil.temp<?xi32>) {
    // CHECK: arith.subi %c0_i32, %{{.*}} : i32
    // CHECK: arith.muli
    // CHECK: arith.addi
    %s = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<[-1, 7]> : tensor<2xi32> : !stencil.temp<?xi32>
    stencil.return %s : i32
  }
  stencil.store %q to %j(<[0], [8]>) : !stencil.temp<?xi32> to !stencil.field<[-1,9]xi32>
  return
}

// -----

!field = !stencil.field<[-8,16]xf64>

// The first product is rounded, as in a loop over the taps, if the second tap is
// one, or the sum may be long. Of few taps that are none it is left to be fused.
// CHECK-LABEL: @rounded
func.func @rounded(%u: !field, %v: !stencil.field<[0,8]xf64>, %w: !stencil.field<[0,8]xf64>, %z: !stencil.field<[0,8]xf64>) {
  stencil.apply(%x = %u : !field) outs (%v : !stencil.field<[0,8]xf64>, %w : !stencil.field<[0,8]xf64>, %z : !stencil.field<[0,8]xf64>) {
    // CHECK: arith.mulf {{.*}} {stencil.rounded} : f64
    // CHECK: arith.mulf {{.*}} %{{[0-9]+}} : f64
    %a = stencil.weighted_sum %x offsets [[-1], [0]] weights dense<[2.0, 3.0]> : tensor<2xf64> : !field
    // CHECK: stencil.access %{{.*}}[-1]
    // CHECK: arith.mulf {{.*}} %{{[0-9]+}} : f64
    // CHECK: stencil.access %{{.*}}[0]
    // CHECK-NEXT: arith.addf
    %b = stencil.weighted_sum %x offsets [[-1], [0]] weights dense<[2.0, 1.0]> : tensor<2xf64> : !field
    // CHECK: stencil.access %{{.*}}[-8]
    // CHECK: arith.mulf {{.*}} {stencil.rounded} : f64
    // CHECK-NOT: stencil.rounded
    %c = stencil.weighted_sum %x offsets [[-8], [-7], [-6], [-5], [-4], [-3], [-2], [-1], [0], [1], [2], [3], [4], [5], [6], [7]] weights dense<[2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<16xf64> : !field
    stencil.return %a, %b, %c : f64, f64, f64
  } to <[0], [8]>
  return
}
