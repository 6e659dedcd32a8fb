// Stores with leads of their own.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages --stencil-place-barriers --stencil-expand-walks | FileCheck %s --check-prefix=LOOPS
//
// Each plane is stored once: in segments, up and down to their ends, and where nothing is left over.
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry two_levels --math strict --verify=0
// RUN: stencil-run %s --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry two_levels --math strict --verify=0
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry windows --math strict --verify=0
// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry sums --math strict --verify=0
// RUN: stencil-run %s --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry windows --math strict --verify=0
// RUN: stencil-run %s --target cpu --threads 3 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --entry sums --math strict --verify=0

!field = !stencil.field<[-2,23]x[-2,35]xf64>
!temp = !stencil.temp<?x?xf64>

// The first stage is stored one plane ahead of the second one, which reads it.
// CHECK-LABEL: func.func @two_levels
// CHECK: tile.walk lookback 4
// CHECK: %[[R:.*]] = tile.where plane {{.*}} -> (!stencil.temp<[1,2]x
// CHECK: tile.where {
// CHECK: %[[T:.*]] = stencil.apply({{.*}} -> (!stencil.temp<[0,1]x
// CHECK: tile.store %[[R]] to %{{.*}} : !stencil.temp<[1,2]x
// CHECK: tile.store %[[T]] to %{{.*}} : !stencil.temp<[0,1]x
// Of the iterations before the first plane p, only what is ahead of it is stored.
// LOOPS-LABEL: func.func @two_levels
// LOOPS: scf.for
// LOOPS: tile.store {{.*}} : !stencil.temp<[1,2]x
// LOOPS-NOT: tile.store
// LOOPS: scf.for
// LOOPS: tile.store {{.*}} : !stencil.temp<[1,2]x
// LOOPS: tile.store {{.*}} : !stencil.temp<[0,1]x
func.func @two_levels(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 4>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window shared %x depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    %k = stencil.window shared %r depth 4 lead 1 : !temp
    %t = stencil.apply(%a = %k : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [21, 33]>) : !temp to !field
    stencil.store %t to %w(<[0, 0], [21, 33]>) : !temp to !field
  }
  return
}

// Of a window with planes p + 1 and p + 2, that next to p; of one that has plane p, this one.
// CHECK-LABEL: func.func @windows
// CHECK-DAG: tile.store {{.*}} : !stencil.temp<[1,2]x
// CHECK-DAG: tile.store {{.*}} : !stencil.temp<[0,1]x
func.func @windows(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %s = stencil.weighted_sum %a offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    %q = stencil.window registers %r depth 2 lead 2 : !temp
    %k = stencil.window shared %r depth 3 lead 2 : !temp
    stencil.store %q to %v(<[0, 0], [21, 33]>) : !temp to !field
    stencil.store %k to %w(<[0, 0], [21, 33]>) : !temp to !field
  }
  return
}

// A sum that is complete two planes ahead.
// CHECK-LABEL: func.func @sums
// CHECK: tile.store {{.*}} : !stencil.temp<[2,3]x
func.func @sums(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 3>} {
      %s = stencil.weighted_sum %a offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    %sum = stencil.accumulate %r, %r at [-1, 1] : !temp
    %q = stencil.window shared %sum depth 4 lead 2 : !temp
    %t = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[0, -1], [1, 1]] weights dense<0.25> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %sum to %v(<[0, 0], [21, 33]>) : !temp to !field
    stencil.store %t to %w(<[0, 0], [21, 33]>) : !temp to !field
  }
  return
}
