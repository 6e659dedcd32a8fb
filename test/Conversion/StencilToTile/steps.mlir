// Walks by several planes at a time: a loop that takes so many, op by op, between barriers that are for all of them. What is
// left comes one by one.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-stream-windows --stencil-map-stages | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-stream-windows --stencil-map-stages --emit-bytecode | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-stream-windows --stencil-map-stages --stencil-place-barriers --stencil-expand-walks | FileCheck %s --check-prefix=LOOPS
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-stream-windows | FileCheck %s --check-prefix=WINDOWS
//
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry planes --verify
// RUN: stencil-run %s --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --entry planes --verify
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry scheduled --verify
// RUN: stencil-run %s --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --entry scheduled --verify
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry ahead --verify=0 --math strict
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --entry carried --verify=0 --math strict

!field = !stencil.field<[-2,23]x[-2,35]xf64>
!temp = !stencil.temp<?x?xf64>

// The ring has the planes that all planes of an iteration need.
// CHECK-LABEL: func.func @planes
// CHECK: tile.ring : !tile.ring<7 x
// CHECK: tile.walk lookback {{[0-9]+}} unroll 4 plane
// LOOPS-LABEL: func.func @planes
// LOOPS: scf.for
// LOOPS-NOT: tile.store
// LOOPS: scf.for
// LOOPS: tile.barrier
// LOOPS-COUNT-4: tile.copy
// LOOPS: tile.barrier
// LOOPS-NOT: tile.barrier
// LOOPS-COUNT-4: tile.store
// LOOPS: scf.for
// LOOPS: tile.store
// LOOPS-NOT: tile.store
// LOOPS-LABEL: func.func @scheduled
func.func @planes(%u: !field, %v: !field) {
  stencil.pipeline axis 0 step 4 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window shared %x depth 7 lead 2 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [2, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [21, 33]>) : !temp to !field
  }
  return
}

// WINDOWS-LABEL: func.func @scheduled
// WINDOWS: stencil.pipeline axis 0 step 3 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>}
// WINDOWS: stencil.window shared %{{.*}} depth 4 lead 2
// WINDOWS: stencil.window shared %{{.*}} depth 6 lead 2
func.func @scheduled(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2, window = shared, chain = shared, step = 3>} {
    %l = stencil.weighted_sum %x offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0], [0, 1], [1, 0]] weights dense<0.5> : tensor<3xf64> : f64
    stencil.return %s : f64
  } to <[0, 0], [21, 33]>
  return
}

// Planes that are as far ahead as an iteration takes: one barrier for them, and one wait for all groups of copies.
// LOOPS-LABEL: func.func @ahead
// LOOPS: scf.for
// LOOPS: scf.for
// LOOPS: tile.wait %{{.*}} plane 2
// LOOPS-NOT: tile.wait
// LOOPS: tile.barrier
// LOOPS-COUNT-2: tile.copy
// LOOPS-NOT: tile.barrier
// LOOPS-COUNT-2: tile.store
// LOOPS-NOT: tile.barrier
// LOOPS: scf.for
// WINDOWS-LABEL: func.func @ahead
// WINDOWS: stencil.window shared %{{.*}} depth 6 lead 3 prefetch async
func.func @ahead(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2, window = shared, prefetch = async, step = 2>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !field
    stencil.return %s : f64
  } to <[0, 0], [21, 33]>
  return
}

// What is carried is handed on from plane to plane as soon as it is made: rows of a thread, columns of other lanes, partial
// sums.
// LOOPS-LABEL: func.func @carried
// LOOPS: scf.for
// LOOPS: scf.for
// LOOPS: tile.barrier
// LOOPS-COUNT-2: tile.copy
// LOOPS-NOT: tile.barrier
// LOOPS: #tile.lanes
// LOOPS-NOT: tile.barrier
// LOOPS: #tile.lanes
// LOOPS-NOT: tile.barrier
// LOOPS-COUNT-2: tile.store
// LOOPS: tile.barrier
// LOOPS: scf.for
func.func @carried(%u: !field, %v: !field) {
  stencil.pipeline axis 0 step 2 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window shared %x depth 6 lead 4 prefetch async : !temp
    %t:2 = stencil.apply(%a = %q : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %l = stencil.access %a[0, -1] : !temp
      %h = stencil.access %a[0, 0] : !temp
      stencil.return %l, %h : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [0, 1] : !temp
    %w = stencil.window shuffle %s depth 4 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, 1] : !temp
      %h = stencil.access %a[1, 0] : !temp
      %d = arith.subf %l, %h : f64
      stencil.return %d : f64
    }
    stencil.store %r to %v(<[0, 0], [21, 33]>) : !temp to !field
  }
  return
}
