// A schedule that only says that its region has a stream of its own leaves the rest to choose; one that joins launches, or
// says anything else, does not.

// RUN: stencil-opt %s --stencil-select-schedule="schedule=[#stencil.schedule<block=[64]>,#stencil.schedule<block=[32],regions=launch>,#stencil.schedule<block=[64]>,#stencil.schedule<block=[64]>]" | FileCheck %s
// RUN: stencil-opt %s --stencil-select-schedule="schedule=#stencil.schedule<block=[64]>" | FileCheck %s --check-prefix=ALL
// CHECK: stencil.schedule = #stencil.schedule<block = [64], regions = streams>
// CHECK: stencil.schedule = #stencil.schedule<block = [32], regions = separate>
// CHECK: stencil.schedule = #stencil.schedule<regions = launch>
// CHECK: stencil.schedule = #stencil.schedule<launch_bounds = 1, regions = streams>
// ALL: stencil.schedule = #stencil.schedule<block = [64], regions = streams>
// ALL: stencil.schedule = #stencil.schedule<block = [64], regions = separate>
// ALL: stencil.schedule = #stencil.schedule<regions = launch>
// ALL: stencil.schedule = #stencil.schedule<launch_bounds = 1, regions = streams>

// The model chooses for none of them.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-select-schedule | FileCheck %s --check-prefix=MODEL
// MODEL: stencil.schedule = #stencil.schedule<regions = streams>

!field = !stencil.field<[-4,4000068]xf64>
func.func @regions(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<regions = streams>} {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[0], [1000000]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<regions = separate>} {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[1000000], [2000000]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<regions = launch>} {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[2000000], [3000000]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<launch_bounds = 1, regions = streams>} {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[3000000], [4000000]>
  return
}
