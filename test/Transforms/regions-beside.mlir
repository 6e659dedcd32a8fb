// RUN: stencil-opt %s --stencil-group-regions --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --stencil-join-launches --loop-invariant-code-motion --stencil-capture-graphs --stencil-overlap-launches | FileCheck %s
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=3 --math strict --verify=0
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=70 --math strict --verify=0
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --arg 2=3 --math strict --verify=0
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --arg 2=70 --math strict --verify=0
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=70 --math strict --verify=0

// A step of five regions: the interior and two layers in streams, and beside
// them, as the second largest, two layers as one launch. They wait for the step
// before, the next one for them; in a graph and without.

// CHECK-LABEL: func.func @step
// CHECK-COUNT-4: call @mgpuEventCreate
// CHECK: call @stencilBeginCapture(%[[S:.*]]) :
// CHECK: scf.for
// CHECK: call @mgpuEventRecord(%[[BEGIN:.*]], %[[S]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S1:.*]], %[[BEGIN]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S2:.*]], %[[BEGIN]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S3:.*]], %[[BEGIN]])
// CHECK-NEXT: gpu.launch_func <%[[S]] : !llvm.ptr> @{{.*}}::@step_apply
// CHECK-NEXT: gpu.launch_func <%[[S1]] : !llvm.ptr> @{{.*}}::@step_regions
// CHECK-NEXT: gpu.launch_func <%[[S2]] : !llvm.ptr> @{{.*}}::@step_apply
// CHECK-NEXT: gpu.launch_func <%[[S3]] : !llvm.ptr> @{{.*}}::@step_apply
// CHECK-NEXT: call @mgpuEventRecord(%[[DONE1:.*]], %[[S1]])
// CHECK-NEXT: call @mgpuStreamWaitEvent(%[[S]], %[[DONE1]])
// CHECK-COUNT-2: call @mgpuStreamWaitEvent(%[[S]],
// CHECK: call @stencilEndCapture
// CHECK: scf.for
// CHECK: gpu.launch_func <%[[S1]] : !llvm.ptr> @{{.*}}::@step_regions
// CHECK-NOT: gpu.launch_func <%[[S]]
// CHECK: return

!field = !stencil.field<[-1,41]x[-1,65]xf64>
#launch = #stencil.schedule<block = [8, 8], regions = launch>
#streams = #stencil.schedule<block = [8, 8], regions = streams>

func.func @step(%a: !field, %b: !field, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %third = arith.constant 0.3 : f64
  %r:2 = scf.for %i = %zero to %steps step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    // Left.
    stencil.apply(%x = %u : !field, %c = %half : f64) outs (%v : !field) attributes {stencil.schedule = #launch} {
      %p = stencil.access %x[0, -1] : !field
      %q = stencil.access %x[0, 1] : !field
      %sum = arith.addf %p, %q : f64
      %res = arith.mulf %sum, %c : f64
      stencil.return %res : f64
    } to <[4, 0], [36, 8]>
    // Above.
    stencil.apply(%x = %u : !field, %c = %third : f64) outs (%v : !field) attributes {stencil.schedule = #streams} {
      %p = stencil.access %x[-1, 0] : !field
      %q = stencil.access %x[1, 0] : !field
      %sum = arith.addf %p, %q : f64
      %res = arith.mulf %sum, %c : f64
      stencil.return %res : f64
    } to <[0, 0], [4, 64]>
    // The interior.
    stencil.apply(%x = %u : !field, %c = %half : f64) outs (%v : !field) attributes {stencil.schedule = #streams} {
      %p = stencil.access %x[-1, 0] : !field
      %q = stencil.access %x[0, 1] : !field
      %sum = arith.addf %p, %q : f64
      %res = arith.mulf %sum, %c : f64
      stencil.return %res : f64
    } to <[4, 8], [36, 56]>
    // Below.
    stencil.apply(%x = %u : !field, %c = %third : f64) outs (%v : !field) attributes {stencil.schedule = #streams} {
      %p = stencil.access %x[-1, 0] : !field
      %q = stencil.access %x[1, 0] : !field
      %sum = arith.subf %p, %q : f64
      %res = arith.mulf %sum, %c : f64
      stencil.return %res : f64
    } to <[36, 0], [40, 64]>
    // Right.
    stencil.apply(%x = %u : !field, %c = %half : f64) outs (%v : !field) attributes {stencil.schedule = #launch} {
      %p = stencil.access %x[0, -1] : !field
      %q = stencil.access %x[0, 1] : !field
      %sum = arith.subf %p, %q : f64
      %res = arith.mulf %sum, %c : f64
      stencil.return %res : f64
    } to <[4, 56], [36, 64]>
    scf.yield %v, %u : !field, !field
  }
  return
}
