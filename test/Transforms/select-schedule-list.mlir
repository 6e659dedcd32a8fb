// A list has a schedule for each apply, in the order of the program.

// RUN: stencil-opt %s --stencil-select-schedule="schedule=[#stencil.schedule<launch_bounds=2>,unit,#stencil.schedule<launch_bounds=3>]" | FileCheck %s
// CHECK: #stencil.schedule<launch_bounds = 2>
// CHECK: stencil.apply
// CHECK-NOT: #stencil.schedule
// CHECK: stencil.return
// Who has a schedule keeps it.
// CHECK: #stencil.schedule<launch_bounds = 1>

// RUN: not stencil-opt %s --stencil-select-schedule="schedule=[unit,unit]" 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: option 'schedule': expected a list with a schedule for each stencil.apply, of which there are 3, got 2
// RUN: not stencil-opt %s --stencil-select-schedule="schedule=[unit,#stencil.schedule<points=[1,1]>,unit]" 2>&1 | FileCheck %s --check-prefix=AXES
// AXES: select-schedule-list.mlir:[[#@LINE+10]]:3: error: the schedule is for 2 axes, which this one does not have: #stencil.schedule<points = [1, 1]>
// RUN: not stencil-opt %s --stencil-select-schedule="schedule=[unit,3,unit]" 2>&1 | FileCheck %s --check-prefix=ELEMENT
// ELEMENT: error: option 'schedule': expected a #stencil.schedule, got [unit, 3, unit]

!field = !stencil.field<[-4,68]xf64>
func.func @three(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  stencil.apply(%x = %v : !field) outs (%u : !field) {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<launch_bounds = 1>} {
    %a = stencil.access %x[4] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}
