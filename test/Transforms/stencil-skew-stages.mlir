// RUN: stencil-opt %s --stencil-skew-stages --split-input-file | FileCheck %s

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>

// The stored stage stays where it is, and reads on one side; the first one reads a point further.
// CHECK-LABEL: @chain
// CHECK: stencil.apply
// CHECK-SAME: #stencil.stage<lead = 1>
// CHECK-DAG: stencil.access %{{.*}}[0, 0]
// CHECK-DAG: stencil.access %{{.*}}[0, 2]
// CHECK: stencil.window shuffle %{{.*}} depth 2 lead 1
// CHECK: stencil.apply
// CHECK-SAME: #stencil.stage<lead = 0>
// CHECK-DAG: stencil.access %{{.*}}[0, -2]
// CHECK-DAG: stencil.access %{{.*}}[1, -1]
// CHECK-DAG: stencil.access %{{.*}}[0, 0]
// CHECK: stencil.store %{{.*}}(<[0, 0], [24, 40]>)
func.func @chain(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 2 : !temp
    %s = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, -1]>} {
      %c = stencil.access %a[0, -1] : !temp
      %d = stencil.access %a[0, 1] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    %q = stencil.window shuffle %s depth 2 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, -2]>} {
      %c = stencil.access %a[0, -1] : !temp
      %d = stencil.access %a[1, 0] : !temp
      %e = stencil.access %a[0, 1] : !temp
      %f = arith.addf %c, %d : f64
      %g = arith.addf %e, %f : f64
      stencil.return %g : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>

// Sums of inputs and coordinates are moved, too; in a sum of a value of the body, what that follows from. Of a tile, along both axes.
// CHECK-LABEL: @coordinates
// CHECK: stencil.pipeline {
// CHECK: stencil.apply
// CHECK-NOT: stencil.stage
// CHECK: stencil.index 0 <[4, -3]>
// CHECK: stencil.weighted_sum %{{.*}} offsets {{\[}}[4, -3], [5, -4]]
// CHECK: stencil.dyn_access %{{.*}} in <[3, -4]> : <[5, -2]>
// CHECK: stencil.window
// CHECK: stencil.apply
// CHECK-NOT: stencil.stage
// CHECK: stencil.access %{{.*}}[-4, 4]
func.func @coordinates(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [5, -3]>} {
      %i = stencil.index 0 <[0, 0]>
      %j = stencil.index 1 <[0, 0]>
      %c = stencil.weighted_sum %a offsets [[0, 0], [1, -1]] weights dense<1.0> : tensor<2xf64> : !temp
      %d = stencil.dyn_access %a[%i, %j] in <[-1, -1]> : <[1, 1]> : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    %q = stencil.window shared %s : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [1, 0]>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>

// Only differences count; terms of a sum go with it.
// CHECK-LABEL: @alike
// CHECK: #stencil.stage<lead = 1>
// CHECK: stencil.access %{{.*}}[0, 1]
// CHECK: stencil.accumulate
// CHECK: #stencil.stage<lead = 0>
// CHECK: stencil.access %{{.*}}[0, 0]
func.func @alike(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, 7]>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    %s = stencil.accumulate %t, %t at [0, 1] : !temp
    %r = stencil.apply(%a = %s : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, 7]>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,32]x[-8,48]xf64>
!temp = !stencil.temp<?x?xf64>

// Each leg of a relay goes back to where the first one begins, which reads the load: both read alike.
// CHECK-LABEL: @legs
// CHECK: stencil.apply
// CHECK: stencil.access %{{.*}}[0, 2]
// CHECK: stencil.apply
// CHECK: stencil.access %{{.*}}[0, 0]
// CHECK: stencil.apply
// CHECK: stencil.access %{{.*}}[0, 2]
// CHECK: stencil.apply
// CHECK: stencil.access %{{.*}}[0, 0]
func.func @legs(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<stream = 0, relay = 2>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %a = stencil.apply(%i = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %p = stencil.access %i[0, 1] : !temp
      stencil.return %p : f64
    }
    %aw = stencil.window shuffle %a depth 1 lead 0 : !temp
    %b = stencil.apply(%i = %aw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, -1]>} {
      %p = stencil.access %i[0, 1] : !temp
      stencil.return %p : f64
    }
    %bw = stencil.window shuffle %b depth 1 lead 0 : !temp
    %c = stencil.apply(%i = %bw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %p = stencil.access %i[0, 1] : !temp
      stencil.return %p : f64
    }
    %cw = stencil.window shuffle %c depth 1 lead 0 : !temp
    %d = stencil.apply(%i = %cw : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, -1]>} {
      %p = stencil.access %i[0, 1] : !temp
      stencil.return %p : f64
    }
    stencil.store %d to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}
