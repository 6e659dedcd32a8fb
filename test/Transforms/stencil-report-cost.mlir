// RUN: stencil-opt --stencil-attach-target=chip=sm_90 --stencil-report-cost %s -o /dev/null | FileCheck %s
// RUN: stencil-opt --stencil-report-cost=math=strict %s -o /dev/null | FileCheck %s --check-prefix=STRICT
// RUN: stencil-opt --stencil-attach-target=chip=gfx942 --stencil-report-cost="format=json label=before" %s -o /dev/null | FileCheck %s --check-prefix=JSON
// The report and the program make one text that can be read, before and after.
// RUN: stencil-opt --stencil-report-cost=label=before --canonicalize --stencil-report-cost=label=after %s | stencil-opt | FileCheck %s --check-prefix=AGAIN
// RUN: stencil-opt --stencil-report-cost="format=json output=%t.json" %s -o /dev/null | count 0
// RUN: FileCheck %s --input-file %t.json --check-prefix=FILE
// A program whose chip nobody has measured, and one of which nothing is known.
// RUN: stencil-opt --stencil-attach-target=chip=sm_80 --stencil-report-cost %s -o /dev/null | FileCheck %s --check-prefix=SHEET
// RUN: stencil-opt --stencil-attach-target=chip=sm_75 --stencil-report-cost %s -o /dev/null | FileCheck %s --check-prefix=UNKNOWN

!temp1 = !stencil.temp<?xf64>
!temp2 = !stencil.temp<?x?xf64>

// An addition takes one of its two products along.
// CHECK: @heat, apply 0, {{.*}}stencil-report-cost.mlir:[[@LINE+16]]:8
// CHECK-NEXT: reads 1 field at 3 points, writes 1: 16 bytes per point
// CHECK-NEXT: shared: 3 operations (1 add, 1 multiplication, 1 fma), 4 flops, 3 loads, 0 partials
// CHECK-NEXT: alone: 3 operations (1 add, 1 multiplication, 1 fma), 4 flops, 3 loads
// CHECK-NEXT: 0.250 flops per byte; sm_90: at most 267.5 GStencil/s, by memory (measured; 4280.0 GB/s, 30.7 Tflop/s)
// STRICT-LABEL: @heat
// STRICT: shared: 4 operations (2 adds, 2 multiplications), 4 flops
// JSON: {"applies":[{"alone":{"adds":1,{{.*}}"apply":0,"bytes_per_point":16,{{.*}}"function":"heat",
// JSON-SAME: "roofline":{"bandwidth":5300000000000,"bound":331250000000,"by":"memory","measured":false,
// JSON-SAME: "function":"bufferised",{{.*}}"points":2,
// JSON-SAME: "chip":"gfx942","label":"before"}{{$}}
// FILE: "function":"heat"
// SHEET: sm_80: at most 127.4 GStencil/s, by memory (data sheet;
// UNKNOWN: 0.250 flops per byte{{$}}
// AGAIN: func.func @heat
func.func @heat(%t: !temp1) -> !temp1 {
  %r = stencil.apply(%x = %t : !temp1) -> (!temp1) {
    %l = stencil.access %x[-1] : !temp1
    %c = stencil.access %x[0] : !temp1
    %h = stencil.access %x[1] : !temp1
    %half = arith.constant 0.5 : f64
    %quarter = arith.constant 0.25 : f64
    %s = arith.addf %l, %h : f64
    %ms = arith.mulf %s, %quarter : f64
    %mc = arith.mulf %c, %half : f64
    %v = arith.addf %ms, %mc : f64
    stencil.return %v : f64
  }
  return %r : !temp1
}

// Weights of 1 and -1 save the product, those of 0 the tap.
// CHECK-LABEL: @sums, apply 0
// CHECK-NEXT: reads 1 field at 4 points, writes 2:
// CHECK-NEXT: shared: 5 operations (2 adds, 2 multiplications, 1 fma), 6 flops, 5 loads, 0 partials
// STRICT-LABEL: @sums, apply 0
// STRICT: shared: 6 operations (3 adds, 3 multiplications), 6 flops
func.func @sums(%t: !temp1, %a: f64, %b: f64) -> (!temp1, !temp1) {
  %r:2 = stencil.apply(%x = %t : !temp1, %p = %a : f64, %q = %b : f64) -> (!temp1, !temp1) {
    %u = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[2.0, -1.0, 1.0]> : tensor<3xf64> : !temp1
    // What is the same everywhere does not count.
    %pq = arith.mulf %p, %q : f64
    %v = stencil.weighted_sum %x offsets [[1], [2]] weights (%pq, %q) : !temp1
    %w = stencil.weighted_sum %x offsets [[7]] weights dense<0.0> : tensor<1xf64> : !temp1
    stencil.return %u, %v : f64, f64
  }
  return %r#0, %r#1 : !temp1, !temp1
}

// A box as the sum of sums along rows: neighbours share them. Alone, a point
// takes three of them.
// CHECK-LABEL: @separable, apply 0
// CHECK-NEXT: reads 1 field at 9 points, writes 1:
// CHECK-NEXT: shared: 4 operations (4 adds), 4 flops, 3 loads, 2 partials
// CHECK-NEXT: alone: 8 operations (8 adds), 8 flops, 9 loads
func.func @separable(%t: !temp2) -> !temp2 {
  %r = stencil.apply(%x = %t : !temp2) -> (!temp2) {
    %row = stencil.weighted_sum %x offsets [[0, -1], [0, 0], [0, 1]] weights dense<1.0> : tensor<3xf64> : !temp2
    %box = stencil.weighted_sum %row offsets [[-1, 0], [0, 0], [1, 0]] weights dense<1.0> : tensor<3xf64> : f64
    stencil.return %box : f64
  }
  return %r : !temp2
}

// Dead code counts: it stands there. Of two branches the larger one; loads of
// one field, once; a field of lower rank takes no bytes; a field nobody reads
// is none.
// CHECK-LABEL: @rest, apply 0
// CHECK-NEXT: reads 2 fields at 3 points, writes 1: 16 bytes per point
// CHECK-NEXT: shared: 8 operations (2 adds, 1 multiplication, 2 divisions, 1 function, 2 others), 6 flops, 4 loads
func.func @rest(%f: !stencil.field<[0,8]x[0,8]xf64>, %g: !stencil.field<[0,8]xf64>, %h: !stencil.field<[0,8]x[0,8]xf64>) -> !temp2 {
  %t = stencil.load %f : !stencil.field<[0,8]x[0,8]xf64> -> !temp2
  %t2 = stencil.load %f : !stencil.field<[0,8]x[0,8]xf64> -> !temp2
  %row = stencil.load %g : !stencil.field<[0,8]xf64> -> !temp1
  %none = stencil.load %h : !stencil.field<[0,8]x[0,8]xf64> -> !temp2
  %r = stencil.apply(%x = %t : !temp2, %y = %t2 : !temp2, %z = %row : !temp1, %n = %none : !temp2) -> (!temp2) {
    %a = stencil.access %x[0, 0] : !temp2
    %b = stencil.access %y[0, 0] : !temp2
    %c = stencil.access %z[_, 0] : !temp1
    %dead = stencil.access %x[0, 0] : !temp2
    %e = math.exp %a : f64
    %m = arith.maximumf %e, %b : f64
    %neg = arith.negf %m : f64
    %i = stencil.index 0 <[0, 0]>
    %four = arith.constant 4 : index
    %low = arith.cmpi slt, %i, %four : index
    %v = scf.if %low -> (f64) {
      %p = arith.mulf %neg, %c : f64
      %q = arith.divf %p, %b : f64
      %s = arith.divf %q, %a : f64
      scf.yield %s : f64
    } else {
      %s = arith.addf %neg, %c : f64
      scf.yield %s : f64
    }
    %w = arith.addf %v, %neg : f64
    %ww = arith.addf %w, %w : f64
    stencil.return %ww : f64
  }
  return %r : !temp2
}

// Bufferised and unrolled: per point. A field that is read and written moves twice.
// CHECK-LABEL: @bufferised, apply 0
// CHECK-NEXT: reads 1 field at 3 points, writes 1: 8 bytes per point
// CHECK-NEXT: shared: 1 operation (1 add), 1 flop, 1.5 loads
func.func @bufferised(%f: !stencil.field<[0,9]xf32>, %g: !stencil.field<[0,8]xf32>) {
  stencil.apply(%x = %f : !stencil.field<[0,9]xf32>) outs (%g : !stencil.field<[0,8]xf32>) {
    %a = stencil.access %x[0] : !stencil.field<[0,9]xf32>
    %b = stencil.access %x[1] : !stencil.field<[0,9]xf32>
    %c = stencil.access %x[2] : !stencil.field<[0,9]xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.addf %b, %c : f32
    stencil.return %s, %t unroll <[2]> : f32, f32
  } to <[0], [8]>
  return
}

// Integers have no fma.
// CHECK-LABEL: @integers, apply 0
// CHECK: shared: 5 operations (2 adds, 3 multiplications), 5 flops
func.func @integers(%t: !stencil.temp<?xi32>) -> !stencil.temp<?xi32> {
  %r = stencil.apply(%x = %t : !stencil.temp<?xi32>) -> (!stencil.temp<?xi32>) {
    %v = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[2, 3, 4]> : tensor<3xi32> : !stencil.temp<?xi32>
    stencil.return %v : i32
  }
  return %r : !stencil.temp<?xi32>
}
