// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-applies --stencil-map-stages --stencil-place-barriers --stencil-expand-walks --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

// The kernel of the apply stores the periodic images, too: of a point near an
// edge, which it reads back, along one axis, the other one, and both.

// CHECK: gpu.func @step_apply0{{0?}}(%[[U:.*]]: memref<{{.*}}>{{.*}}, %[[V:.*]]: memref<{{.*}}>
// CHECK: %[[VALUE:.*]] = memref.load %[[U]]
// CHECK: memref.store %[[VALUE]], %[[V]]
// CHECK: arith.cmpi slt, %[[Y:.*]], %c1_i32
// CHECK: arith.cmpi sge, %[[Y]], %c8_i32
// CHECK: arith.cmpi slt, %[[X:.*]], %c2_i32
// CHECK: arith.cmpi sge, %[[X]], %c7_i32
// CHECK: scf.if
// CHECK: %[[AGAIN:.*]] = memref.load %[[V]]
// CHECK-COUNT-3: memref.store %[[AGAIN]], %[[V]]
// CHECK-NOT: memref.store
// CHECK: func.func @step
// CHECK: gpu.launch_func
// CHECK-NOT: gpu.launch_func
!field = !stencil.field<[-1,10]x[0,9]xf64>
func.func @step(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 32], points = [1, 1], boundary = store>} {
    %l = stencil.access %x[-1, 2] : !field
    stencil.return %l : f64
  } to <[0, 0], [9, 7]>
  stencil.boundary %v(<[0, 0], [9, 7]>) [#stencil.periodic, #stencil.periodic] : !field
  return
}

// -----

// The first boundary op is part of the apply's kernel. The same field again, and
// another one, have kernels of their own.

!field = !stencil.field<[-1,10]xf64>

// CHECK: gpu.func @others_apply0{{0?}}
// CHECK: gpu.func @others_boundary
// CHECK: gpu.func @others_boundary
// CHECK-NOT: gpu.func
func.func @others(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
    %l = stencil.access %x[-1] : !field
    stencil.return %l : f64
  } to <[0], [9]>
  stencil.boundary %v(<[0], [9]>) [#stencil.periodic] : !field
  stencil.boundary %v(<[0], [9]>) [#stencil.periodic] : !field
  stencil.boundary %u(<[0], [9]>) [#stencil.neumann] : !field
  return
}

// -----

// Unasked, a kernel of its own.

!field = !stencil.field<[-1,10]xf64>

// CHECK: gpu.func @unasked_apply0{{0?}}
// CHECK: gpu.func @unasked_boundary
func.func @unasked(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %l = stencil.access %x[-1] : !field
    stencil.return %l : f64
  } to <[0], [9]>
  stencil.boundary %v(<[0], [9]>) [#stencil.periodic] : !field
  return
}
