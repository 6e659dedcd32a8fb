// RUN: stencil-opt %s --stencil-order-bodies=registers=11 --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-order-bodies="registers=11 math=reassociate" --split-input-file | FileCheck %s --check-prefix=SUMS
// RUN: stencil-opt %s --stencil-order-bodies --split-input-file | FileCheck %s --check-prefix=SHORT

!field = !stencil.field<[-1,9]xf64>

// As it is written, two sums and four points live at once, 12 registers; input
// after input, 10.
// CHECK-LABEL: @inputs
// SHORT-LABEL: @inputs
func.func @inputs(%u: !field, %v: !field, %w: !field) {
  // CHECK: stencil.apply(%[[X:.*]] = %arg0 : {{.*}}, %[[Y:.*]] = %arg1
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%w : !field) {
    // CHECK: %[[A:.*]] = stencil.access %[[X]][-1]
    // CHECK: %[[B:.*]] = stencil.access %[[X]][1]
    // CHECK: %[[SX:.*]] = arith.addf %[[A]], %[[B]]
    // CHECK: %[[DX:.*]] = arith.subf %[[A]], %[[B]]
    // CHECK: %[[PX:.*]] = arith.mulf %[[SX]], %[[DX]]
    // CHECK: %[[C:.*]] = stencil.access %[[Y]][-1]
    // CHECK: %[[D:.*]] = stencil.access %[[Y]][1]
    // CHECK: %[[SY:.*]] = arith.addf %[[C]], %[[D]]
    // CHECK: %[[DY:.*]] = arith.subf %[[C]], %[[D]]
    // CHECK: %[[PY:.*]] = arith.mulf %[[SY]], %[[DY]]
    // CHECK: %[[R:.*]] = arith.addf %[[PX]], %[[PY]]
    // CHECK: stencil.return %[[R]]
    // SHORT: stencil.access
    // SHORT-NEXT: stencil.access
    // SHORT-NEXT: stencil.access
    // SHORT-NEXT: stencil.access
    %a = stencil.access %x[-1] : !field
    %b = stencil.access %x[1] : !field
    %c = stencil.access %y[-1] : !field
    %d = stencil.access %y[1] : !field
    %sx = arith.addf %a, %b : f64
    %sy = arith.addf %c, %d : f64
    %dx = arith.subf %a, %b : f64
    %dy = arith.subf %c, %d : f64
    %px = arith.mulf %sx, %dx : f64
    %py = arith.mulf %sy, %dy : f64
    %r = arith.addf %px, %py : f64
    stencil.return %r : f64
  } to <[0], [8]>
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>

// Between the terms of one input is one of the other, in both sums. If it may be
// added elsewhere, no term has to wait for it.
// CHECK-LABEL: @sums
// SUMS-LABEL: @sums
func.func @sums(%u: !field, %v: !field, %w: !field, %z: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%w : !field, %z : !field) {
    // CHECK: %[[EX:.*]] = arith.mulf %[[SX:.*]], %[[SX]] : f64
    // CHECK: %[[D:.*]] = arith.subf %[[EX]], %{{.*}} : f64
    // CHECK: %[[R:.*]] = arith.addf %[[D]], %{{.*}} : f64
    // CHECK: stencil.return %[[R]]
    // SUMS: stencil.access %[[Y:.*]][-1]
    // SUMS: stencil.access %[[Y:.*]][-1]
    // SUMS: %[[EX:.*]] = arith.mulf %[[SX:.*]], %[[SX]] : f64
    // SUMS: %[[FX:.*]] = arith.mulf %[[DX:.*]], %[[DX]] : f64
    // SUMS-NEXT: %[[S:.*]] = arith.addf %[[EX]], %[[FX]] : f64
    // SUMS: %[[PY:.*]] = arith.mulf
    // SUMS: %[[R:.*]] = arith.subf %[[S]], %[[PY:.*]] : f64
    // SUMS: stencil.return %[[R]]
    %a = stencil.access %x[-1] : !field
    %b = stencil.access %x[1] : !field
    %c = stencil.access %y[-1] : !field
    %d = stencil.access %y[1] : !field
    %sx = arith.addf %a, %b : f64
    %sy = arith.addf %c, %d : f64
    %dx = arith.subf %a, %b : f64
    %dy = arith.subf %c, %d : f64
    %ex = arith.mulf %sx, %sx : f64
    %fx = arith.mulf %dx, %dx : f64
    %px = arith.mulf %sx, %dx : f64
    %ey = arith.mulf %sy, %sy : f64
    %fy = arith.mulf %dy, %dy : f64
    %py = arith.mulf %sy, %dy : f64
    %s = arith.subf %ex, %py : f64
    %r = arith.addf %s, %fx : f64
    %t = arith.subf %ey, %px : f64
    %q = arith.addf %t, %fy : f64
    stencil.return %r, %q : f64, f64
  } to <[0], [8]>
  return
}

// -----

!field = !stencil.field<[-1,9]xf64>

// A body that does more than compute stays as it is.
func.func private @log(f64)

// CHECK-LABEL: @effects
func.func @effects(%u: !field, %v: !field, %w: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%w : !field) {
    // CHECK: stencil.access
    // CHECK-NEXT: stencil.access
    // CHECK-NEXT: stencil.access
    // CHECK-NEXT: stencil.access
    %a = stencil.access %x[-1] : !field
    %b = stencil.access %x[1] : !field
    %c = stencil.access %y[-1] : !field
    %d = stencil.access %y[1] : !field
    %sx = arith.addf %a, %b : f64
    %sy = arith.addf %c, %d : f64
    func.call @log(%sx) : (f64) -> ()
    %dx = arith.subf %a, %b : f64
    %dy = arith.subf %c, %d : f64
    %px = arith.mulf %sx, %dx : f64
    %py = arith.mulf %sy, %dy : f64
    %r = arith.addf %px, %py : f64
    stencil.return %r : f64
  } to <[0], [8]>
  return
}
