// Which products are rounded together with a sum. That is a matter of the body,
// not of what the schedule makes of it, so that results have the same bits with
// any.
// RUN: stencil-opt %s -split-input-file --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s -split-input-file --convert-stencil-to-cpu=math=strict --canonicalize --cse | FileCheck %s --check-prefix=STRICT
// RUN: stencil-opt %s -split-input-file --convert-stencil-to-cpu --stencil-lower-scalar-math | FileCheck %s --check-prefix=HOST

// STRICT-NOT: fastmath<contract>
// HOST-LABEL: func @sums
// HOST-NOT: math.fma
// HOST: llvm.intr.fmuladd

!field = !stencil.field<[-1,17]xf64>
!out = !stencil.field<[0,16]xf64>

// CHECK-LABEL: func @sums
// CHECK-DAG: %[[W:.*]] = arith.constant 3.000000e-01 : f64
func.func @sums(%u: !field, %a: !out, %b: !out, %c: !out, %d: !out, %e: !out) {
  stencil.apply(%x = %u : !field) outs (%a : !out, %b : !out, %c : !out, %d : !out, %e : !out) {
    // CHECK: %[[L:.*]] = memref.load
    // CHECK: %[[M:.*]] = memref.load
    // CHECK: %[[R:.*]] = memref.load
    %l = stencil.access %x[-1] : !field
    %m = stencil.access %x[0] : !field
    %r = stencil.access %x[1] : !field
    %w = arith.constant 0.3 : f64
    // The first one of two products.
    // CHECK: %[[P:.*]] = arith.mulf %[[R]], %[[M]]
    // CHECK: %[[TWO:.*]] = math.fma %[[W]], %[[L]], %[[P]] fastmath<contract>
    %p = arith.mulf %w, %l : f64
    %q = arith.mulf %r, %m : f64
    %two = arith.addf %p, %q : f64
    // CHECK: %[[NL:.*]] = arith.negf %[[L]]
    // CHECK: %[[MINUS:.*]] = math.fma %[[NL]], %[[R]], %[[M]] fastmath<contract>
    %s = arith.mulf %l, %r : f64
    %minus = arith.subf %m, %s : f64
    // CHECK: %[[NM:.*]] = arith.negf %[[M]]
    // CHECK: %[[FROM:.*]] = math.fma %[[L]], %[[R]], %[[NM]] fastmath<contract>
    %from = arith.subf %s, %m : f64
    // CHECK: %[[BOTH:.*]] = math.fma %[[L]], %[[R]], %[[M]] fastmath<contract>
    %n = arith.negf %s : f64
    %both = arith.subf %m, %n : f64
    // One that is to be rounded by itself.
    // CHECK: %[[K:.*]] = arith.mulf %[[M]], %[[M]]
    // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[K]], %[[L]]
    // CHECK: math.fma %[[M]], %[[R]], %[[SUM]]
    %k = arith.mulf %m, %m {stencil.rounded} : f64
    %sum = arith.addf %k, %l : f64
    %t = arith.mulf %m, %r : f64
    %last = arith.addf %sum, %t : f64
    stencil.return %two, %minus, %from, %both, %last : f64, f64, f64, f64, f64
  } to <[0], [16]>
  return
}

// -----

// Of bf16, which no processor has an fma of, each operation is rounded; and the
// program's own fma is one with any processor.

!field = !stencil.field<[-1,17]xbf16>
!out = !stencil.field<[0,16]xbf16>
!doubles = !stencil.field<[0,16]xf64>

// CHECK-LABEL: func @others
// HOST-LABEL: func @others
func.func @others(%u: !field, %d: !doubles, %a: !out, %b: !doubles) {
  stencil.apply(%x = %u : !field, %y = %d : !doubles) outs (%a : !out, %b : !doubles) {
    // CHECK: %[[P:.*]] = arith.mulf
    // CHECK: arith.addf %[[P]], {{.*}} : bf16
    %l = stencil.access %x[-1] : !field
    %r = stencil.access %x[1] : !field
    %p = arith.mulf %l, %r : bf16
    %s = arith.addf %p, %l : bf16
    // CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f64
    // HOST: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f64
    %m = stencil.access %y[0] : !doubles
    %f = math.fma %m, %m, %m fastmath<contract> : f64
    stencil.return %s, %f : bf16, f64
  } to <[0], [16]>
  return
}
