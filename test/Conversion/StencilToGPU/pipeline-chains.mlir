// Chains: stages whose values other threads read, through shared memory.
// RUN: stencil-opt %s --stencil-expand-weighted-sums --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse | FileCheck %s

!field = !stencil.field<[-3,67]x[-3,67]xf64>
!temp = !stencil.temp<?x?xf64>

// A tile of 16 points, and one beside it at either end, that two of the threads
// compute. The reader is a plane behind: one barrier per iteration.
// CHECK-LABEL: gpu.func @behind_pipeline0
// CHECK-DAG: %[[MADE:.*]] = memref.view {{.*}} to memref<160xf64
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: vector.from_elements
// CHECK: vector.store {{.*}}, %[[MADE]]
// CHECK-NOT: gpu.barrier
// CHECK: vector.load %[[MADE]]
// CHECK: scf.if
// CHECK: memref.store {{.*}}, %[[MADE]]
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @behind(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 3 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    %m = stencil.window shared %r depth 5 lead 2 : !temp
    %t = stencil.apply(%a = %m : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %t to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// What is read of the plane that has just been computed is waited for.
// CHECK-LABEL: gpu.func @at_once_pipeline0
// CHECK-DAG: %[[MADE:.*]] = memref.view {{.*}} to memref<96xf64
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: memref.store {{.*}}, %[[MADE]]
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: vector.load %[[MADE]]
// CHECK: gpu.return
func.func @at_once(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %s = stencil.weighted_sum %a offsets [[0, -1], [0, 1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    %m = stencil.window shared %r depth 3 lead 1 : !temp
    %t = stencil.apply(%a = %m : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[0, -1], [1, 1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %t to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// Without a walk, a barrier behind each stage.
// CHECK-LABEL: gpu.func @tile_pipeline0
// CHECK-NOT: scf.for
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @tile(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    %m = stencil.window shared %r : !temp
    %t = stencil.apply(%a = %m : !temp) -> (!temp) {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    %n = stencil.window shared %t : !temp
    %z = stencil.apply(%a = %n : !temp) -> (!temp) {
      %s = stencil.access %a[0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %z to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// Computed coordinates are looked at where somebody needs the value only: a
// coordinate that is out of range elsewhere is no error.
// CHECK-LABEL: gpu.func @computed_pipeline0
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.atomic_rmw
// CHECK: gpu.return
func.func @computed(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %i = stencil.index 0 <[0, 0]>
      %j = stencil.index 1 <[0, 0]>
      %far = arith.addi %j, %j : index
      %c = stencil.dyn_access %a[%i, %far] in <[-1, -1]> : <[1, 1]> : !temp
      stencil.return %c : f64
    }
    %w = stencil.window registers %r depth 2 lead 1 : !temp
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// Points of the tile at which nobody needs the first value would read outside of the field: all of a
// thread are computed together, or each is looked at.
// RUN: stencil-run %s --entry tight --arg 0=random:1 --arg 1=zeros --target emulator --chip sm_90 --verify
// CHECK-LABEL: gpu.func @tight_pipeline0
// CHECK-SAME: (%[[U:[a-z0-9]+]]: memref
// CHECK-NOT: vector.load %[[U]]
// CHECK: scf.if
// CHECK: vector.load %[[U]]
// CHECK: } else {
// CHECK: scf.if
// CHECK-NOT: scf.yield
// CHECK: memref.load %[[U]]
// CHECK: gpu.return
!tight = !stencil.field<[0,64]x[0,64]xf64>
func.func @tight(%u: !tight, %v: !tight) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 2]>} {
    %x = stencil.load %u : !tight -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, -2] : !temp
      stencil.return %c : f64
    }
    %m = stencil.window shared %r : !temp
    %t = stencil.apply(%a = %m : !temp) -> (!temp) {
      %c = stencil.access %a[0, 2] : !temp
      stencil.return %c : f64
    }
    stencil.store %t to %v(<[0, 0], [64, 64]>) : !temp to !tight
  }
  return
}

// What they need is just in the field; the points of a thread are looked at together all the same.
// RUN: stencil-run %s --entry within --arg 0=random:1 --arg 1=zeros --target emulator --chip sm_90 --verify
// CHECK-LABEL: gpu.func @within_pipeline0
// CHECK-SAME: (%[[U:[a-z0-9]+]]: memref
// CHECK: scf.if
// CHECK-COUNT-2: vector.load %[[U]]
// CHECK: gpu.return
!within = !stencil.field<[-2,66]x[-2,66]xf64>
func.func @within(%u: !within, %v: !tight) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 2]>} {
    %x = stencil.load %u : !within -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[-2, 0] : !temp
      %d = stencil.access %a[0, 2] : !temp
      %s = arith.addf %c, %d : f64
      stencil.return %s : f64
    }
    %m = stencil.window shared %r : !temp
    %t = stencil.apply(%a = %m : !temp) -> (!temp) {
      %c = stencil.access %a[2, -2] : !temp
      stencil.return %c : f64
    }
    stencil.store %t to %v(<[0, 0], [64, 64]>) : !temp to !tight
  }
  return
}
