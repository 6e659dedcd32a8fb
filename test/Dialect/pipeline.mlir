// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?x?xf64>

// CHECK-LABEL: func @scatter
func.func @scatter(%u: !field, %v: !field) {
  // CHECK: stencil.pipeline axis 0 {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // CHECK: stencil.window shared %{{.*}} depth 4 lead 4 prefetch tma : !stencil.temp
    %w = stencil.window shared %x depth 4 lead 4 prefetch tma : !temp
    // CHECK: stencil.apply({{.*}} attributes {stencil.stage = #stencil.stage<lead = 1>}
    %t:2 = stencil.apply(%a = %w : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      %s = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<1.0> : tensor<4xf64> : !temp
      stencil.return %c, %s : f64, f64
    }
    // CHECK: stencil.accumulate %{{.*}}#0, %{{.*}}#1 at [-1, 1] : !stencil.temp
    %s = stencil.accumulate %t#0, %t#1 at [-1, 1] : !temp
    stencil.store %s to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// A queue of the thread's own column beside a shared ring.
// CHECK-LABEL: func @shift
func.func @shift(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32]>} {
    %x = stencil.load %u : !field -> !temp
    // CHECK: stencil.window shared %{{.*}} depth 3 lead 2 : !stencil.temp
    %w = stencil.window shared %x depth 3 lead 2 : !temp
    // CHECK: stencil.window registers %{{.*}} depth 3 lead 1 : !stencil.temp
    %q = stencil.window registers %w depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp, %b = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.weighted_sum %a offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<1.0> : tensor<4xf64> : !temp
      %s = stencil.weighted_sum %b offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      %d = arith.addf %c, %s : f64
      stencil.return %d : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// No walk: a tile in shared memory.
// CHECK-LABEL: func @tile
func.func @tile(%u: !field, %v: !field) {
  // CHECK: stencil.pipeline {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // CHECK: stencil.window shared %{{.*}} : !stencil.temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %s = stencil.access %a[-1, 0, 1] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// A walk by two planes at a time: of a window of depth 4 and lead 1, the iteration has planes p - 1 to p + 2.
// CHECK-LABEL: func @planes
func.func @planes(%u: !field, %v: !field) {
  // CHECK: stencil.pipeline axis 0 step 2 {
  stencil.pipeline axis 0 step 2 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 4 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<1.0> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// What has a lead is stored at it.
// CHECK-LABEL: func @stored_ahead
func.func @stored_ahead(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // CHECK: %[[R:.*]] = stencil.apply({{.*}}stencil.stage<lead = 2>
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %c = stencil.access %a[0, 0, 1] : !temp
      stencil.return %c : f64
    }
    // CHECK: %[[Q:.*]] = stencil.window registers %[[R]] depth 2 lead 2
    %q = stencil.window registers %r depth 2 lead 2 : !temp
    // CHECK: stencil.store %[[R]] to
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
    // CHECK: stencil.store %[[Q]] to
    stencil.store %q to %w(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Rows beside those of a thread, which other threads have made in the iteration before.
// CHECK-LABEL: func @rows
func.func @rows(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    // CHECK: stencil.window shuffle %{{.*}} depth 2 lead 1 exchange [1] :
    %w = stencil.window shuffle %s depth 2 lead 1 exchange [1] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}

// Threads compute the first stage beside their points of the tile; without an axis, too.
// CHECK-LABEL: func @skew
func.func @skew(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // CHECK: #stencil.stage<lead = 1, skew = [0, 0, -2]>
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, 0, -2]>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    // CHECK: #stencil.stage<lead = 0, skew = [3, 0, 0]>
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [3, 0, 0]>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [64, 64, 64]>) : !temp to !field
  }
  return
}
