// Regions of a wave of which nobody says how they are launched run in streams; not if one of them reads what another one
// stores. What is said is obeyed, and what is no region is left alone.

// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule=math=reassociate --remarks-filter=Schedule 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// Nothing is known of other chips.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_86 --stencil-select-schedule=math=reassociate | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: regions = streams
// OTHER: regions = separate
// OTHER-NOT: regions = streams

!f = !stencil.field<[-8,608]x[-8,608]x[-8,1032]xf32>

// REMARK: Launches {{.*}}3 regions in streams, 0 in one launch
// CHECK-LABEL: @independent
// CHECK: stencil.schedule = #stencil.schedule<block = [2, 2, 32], points = [1, 2, 4], order = [0, 2, 1], regions = streams>
// CHECK: regions = streams>
// CHECK: stencil.schedule = #stencil.schedule<block = [2, 2, 32], points = [1, 2, 4], order = [0, 2, 1], regions = streams>
func.func @independent(%u: !f, %a: !f, %b: !f, %c: !f, %v: !f) {
  stencil.apply(%x = %u : !f, %p = %a : !f, %q = %b : !f, %r = %c : !f) outs (%v : !f) attributes {stencil.region = #stencil.bounds<[0, 0, 0], [24, 600, 1024]>} {
    %0 = stencil.access %x[0, 0, -4] : !f
    %1 = stencil.access %x[0, 4, 0] : !f
    %2 = stencil.access %p[0, 0, 0] : !f
    %3 = stencil.access %q[0, 0, 0] : !f
    %4 = stencil.access %r[0, 0, 0] : !f
    %5 = arith.addf %0, %1 : f32
    %6 = arith.mulf %2, %3 : f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %7, %4 : f32
    stencil.return %8 : f32
  } to <[0, 0, 0], [24, 600, 1024]>
  stencil.apply(%x = %u : !f) outs (%v : !f) attributes {stencil.region = #stencil.bounds<[24, 0, 0], [576, 600, 1024]>} {
    %0 = stencil.access %x[0, 0, -1] : !f
    stencil.return %0 : f32
  } to <[24, 0, 0], [576, 600, 1024]>
  stencil.apply(%x = %u : !f, %p = %a : !f, %q = %b : !f, %r = %c : !f) outs (%v : !f) attributes {stencil.region = #stencil.bounds<[576, 0, 0], [600, 600, 1024]>} {
    %0 = stencil.access %x[0, 0, -4] : !f
    %1 = stencil.access %x[0, 4, 0] : !f
    %2 = stencil.access %p[0, 0, 0] : !f
    %3 = stencil.access %q[0, 0, 0] : !f
    %4 = stencil.access %r[0, 0, 0] : !f
    %5 = arith.addf %0, %1 : f32
    %6 = arith.mulf %2, %3 : f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %7, %4 : f32
    stencil.return %8 : f32
  } to <[576, 0, 0], [600, 600, 1024]>
  return
}

// The second one reads planes that the first one stores.
// REMARK: Declined {{.*}}not regions = streams: {{.*}}expected regions that do not depend on each other
// CHECK-LABEL: @dependent
// CHECK: #stencil.schedule<block = [2, 2, 32], points = [1, 2, 4], order = [0, 2, 1]>
// CHECK-NOT: regions
// CHECK-LABEL: @separate
func.func @dependent(%a: !f, %b: !f, %c: !f, %v: !f, %w: !f) {
  stencil.apply(%x = %a : !f, %p = %a : !f, %q = %b : !f, %r = %c : !f) outs (%v : !f, %w : !f) attributes {stencil.region = #stencil.bounds<[0, 0, 0], [24, 600, 1024]>} {
    %0 = stencil.access %x[0, 0, -4] : !f
    %1 = stencil.access %x[0, 4, 0] : !f
    %2 = stencil.access %p[0, 0, 0] : !f
    %3 = stencil.access %q[0, 0, 0] : !f
    %4 = stencil.access %r[0, 0, 0] : !f
    %5 = arith.addf %0, %1 : f32
    %6 = arith.mulf %2, %3 : f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %7, %4 : f32
    stencil.return %8, %7 : f32, f32
  } to <[0, 0, 0], [24, 600, 1024]>
  stencil.apply(%x = %w : !f) outs (%v : !f) attributes {stencil.region = #stencil.bounds<[24, 0, 0], [576, 600, 1024]>} {
    %0 = stencil.access %x[-8, 0, 0] : !f
    stencil.return %0 : f32
  } to <[24, 0, 0], [576, 600, 1024]>
  return
}

// CHECK: #stencil.schedule<block = [2, 2, 32], points = [1, 2, 4], order = [0, 2, 1], regions = separate>
func.func @separate(%u: !f, %a: !f, %b: !f, %c: !f, %v: !f) {
  stencil.apply(%x = %u : !f, %p = %a : !f, %q = %b : !f, %r = %c : !f) outs (%v : !f)
      attributes {stencil.region = #stencil.bounds<[0, 0, 0], [24, 600, 1024]>, stencil.schedule = #stencil.schedule<regions = separate>} {
    %0 = stencil.access %x[0, 0, -4] : !f
    %1 = stencil.access %x[0, 4, 0] : !f
    %2 = stencil.access %p[0, 0, 0] : !f
    %3 = stencil.access %q[0, 0, 0] : !f
    %4 = stencil.access %r[0, 0, 0] : !f
    %5 = arith.addf %0, %1 : f32
    %6 = arith.mulf %2, %3 : f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %7, %4 : f32
    stencil.return %8 : f32
  } to <[0, 0, 0], [24, 600, 1024]>
  return
}
