// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse | FileCheck %s

!field = !stencil.field<[0,64]x[0,64]xf32>

// Four neighbouring points of a row are all before column 16, or all behind it:
// one branch, and vectors in it. Of what is not stored there, no vector is.

// CHECK-LABEL: gpu.func @aligned_apply0
// CHECK: vector.load %arg0
// CHECK: %[[IF:.*]]:8 = scf.if %[[EDGE:.*]] -> (f32, f32, f32, f32, f32, f32, f32, f32) {
// CHECK-NEXT: %{{.*}} = vector.load %arg1
// CHECK-NOT: memref.load
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK-NOT: load
// CHECK: }
// CHECK: vector.from_elements %[[IF]]#0, %[[IF]]#1, %[[IF]]#2, %[[IF]]#3
// CHECK: vector.store
// CHECK: scf.if %[[EDGE]] {
// CHECK-NEXT: vector.from_elements %[[IF]]#4, %[[IF]]#5, %[[IF]]#6, %[[IF]]#7
// CHECK-NEXT: vector.store
// CHECK-NOT: scf.if
// CHECK: gpu.return
func.func @aligned(%u: !field, %e: !field, %v: !field, %w: !field) {
  stencil.apply(%x = %u : !field, %y = %e : !field) outs (%v : !field, %w : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 4]>} {
    %c = stencil.access %x[0, 0] : !field
    %j = stencil.index 1 <[0, 0]>
    %c16 = arith.constant 16 : index
    %isEdge = arith.cmpi slt, %j, %c16 : index
    %r:2 = scf.if %isEdge -> (f32, !stencil.result<f32>) {
      %d = stencil.access %y[0, 0] : !field
      %s = arith.mulf %c, %d : f32
      %kept = stencil.store_result %d : !stencil.result<f32>
      scf.yield %s, %kept : f32, !stencil.result<f32>
    } else {
      %none = stencil.store_result : !stencil.result<f32>
      scf.yield %c, %none : f32, !stencil.result<f32>
    }
    stencil.return %r#0, %r#1 : f32, !stencil.result<f32>
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf32>

// Column 17 is within four points: each of them has its branch. So it is where the
// branch is not on the column alone.

// CHECK-LABEL: gpu.func @unaligned
// CHECK-COUNT-4: scf.if %{{.*}} -> (f32)
// CHECK: gpu.return
func.func @unaligned(%u: !field, %e: !field, %v: !field) {
  stencil.apply(%x = %u : !field, %y = %e : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 4]>} {
    %c = stencil.access %x[0, 0] : !field
    %j = stencil.index 1 <[0, 0]>
    %c17 = arith.constant 17 : index
    %isEdge = arith.cmpi slt, %j, %c17 : index
    %r = scf.if %isEdge -> (f32) {
      %d = stencil.access %y[0, 0] : !field
      scf.yield %d : f32
    } else {
      scf.yield %c : f32
    }
    stencil.return %r : f32
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf32>

// CHECK-LABEL: gpu.func @values
// CHECK-COUNT-4: scf.if %{{.*}} -> (f32)
// CHECK: gpu.return
func.func @values(%u: !field, %e: !field, %v: !field) {
  stencil.apply(%x = %u : !field, %y = %e : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 4]>} {
    %c = stencil.access %x[0, 0] : !field
    %j = stencil.index 1 <[0, 0]>
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %isEdge = arith.cmpi slt, %j, %c16 : index
    %isSet = arith.cmpf ogt, %c, %zero : f32
    %both = arith.andi %isEdge, %isSet : i1
    %r = scf.if %both -> (f32) {
      %d = stencil.access %y[0, 0] : !field
      scf.yield %d : f32
    } else {
      scf.yield %c : f32
    }
    stencil.return %r : f32
  } to <[0, 0], [64, 64]>
  return
}
