// RUN: stencil-opt %s --stencil-expand-boundaries --cse | FileCheck %s

!field = !stencil.field<[-1,10]x[-1,7]xf64>
!temp = !stencil.temp<?x?xf64>

// Next to the box, a condition reads what its reader reads anyway.
// CHECK-LABEL: @mirrored
// CHECK: %[[W:.*]] = stencil.window shared %{{.*}} depth 3 lead 2 attributes {stencil.within = #stencil.bounds<[0, 0], [9, 6]>}
// CHECK: stencil.apply(%[[A:.*]] = %[[W]]
// CHECK: %[[BELOW:.*]] = stencil.access %[[A]][-1, 0]
// CHECK: %[[I:.*]] = stencil.index 0 <[0, 0]>
// CHECK: %[[FIRST:.*]] = arith.constant 0 : index
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %[[FIRST]] : index
// CHECK: %[[ABOVE:.*]] = stencil.access %[[A]][1, 0]
// CHECK: %[[LOWER:.*]] = arith.select %[[IS_FIRST]], %[[ABOVE]], %[[BELOW]]
// CHECK: %[[J:.*]] = stencil.index 0 <[-9, 0]>
// CHECK: %[[LAST:.*]] = arith.constant -1 : index
// CHECK: %[[IS_LAST:.*]] = arith.cmpi sge, %[[J]], %[[LAST]] : index
// CHECK: %[[C:.*]] = arith.constant 2.0{{.*}} : f64
// CHECK: %[[UPPER:.*]] = arith.select %[[IS_LAST]], %[[C]], %[[ABOVE]]
// CHECK: arith.addf %[[LOWER]], %[[UPPER]]
func.func @mirrored(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s depth 3 lead 2 boundary(<[0, 0], [9, 6]>) [#stencil.symmetric | #stencil.dirichlet<2.0>, #stencil.keep] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %l = stencil.access %a[-1, 0] : !temp
      %h = stencil.access %a[1, 0] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// A corner is what its last axis says: a point of axis 1, where axis 0 has a
// constant beyond the box.
// CHECK-LABEL: @corner
// CHECK: %[[CORNER:.*]] = stencil.access %{{.*}}[-1, -1]
// CHECK: %[[C:.*]] = arith.constant 3.0{{.*}} : f64
// CHECK: %[[BELOW:.*]] = arith.select %[[IS_BELOW:.*]], %[[C]], %[[CORNER]]
// CHECK: %[[NEAR:.*]] = stencil.access %{{.*}}[-1, 0]
// CHECK: %[[MOVED:.*]] = arith.select %[[IS_BELOW]], %[[C]], %[[NEAR]]
// CHECK: arith.select %{{.*}}, %[[MOVED]], %[[BELOW]]
func.func @corner(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.dirichlet<3.0>, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-1, -1] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// Three planes that no one has read before: they come earlier, and stay longer.
// What was ahead of its readers by a plane still is.
// CHECK-LABEL: @leads
// CHECK: stencil.window shared %{{.*}} depth 4 lead 6 prefetch async :
// CHECK: stencil.stage = #stencil.stage<lead = 4>
// CHECK: stencil.window shared %{{.*}} depth 6 lead 4 attributes {stencil.within
// CHECK: stencil.stage = #stencil.stage<lead = 0>
// CHECK: stencil.access %{{.*}}[3, 0]
func.func @leads(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %p = stencil.window shared %x depth 4 lead 3 prefetch async : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %l = stencil.access %a[-1, 0] : !temp
      %h = stencil.access %a[1, 0] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0, 0], [9, 6]>) [#stencil.extrapolate<3> | #stencil.neumann, #stencil.keep] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, 0] : !temp
      %h = stencil.access %a[0, 0] : !temp
      %b = stencil.access %a[0, 0] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// The windows of loads keep what kernels can bring; extrapolations are for
// their readers.
// CHECK-LABEL: @load
// CHECK: stencil.window shared %{{.*}} boundary(<[0, 0], [9, 6]>) [#stencil.dirichlet<0.000000e+00 : f64> | #stencil.keep, #stencil.periodic] :
// CHECK: %[[NEAREST:.*]] = stencil.access %{{.*}}[0, 1]
// CHECK: arith.select %{{.*}}, %[[NEAREST]], %{{.*}}
func.func @load(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x boundary(<[0, 0], [9, 6]>) [#stencil.extrapolate<0> | #stencil.keep, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-1, 1] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// Without extrapolations they stay as they are.
// CHECK-LABEL: @plain
// CHECK: boundary(<[0, 0], [9, 6]>) [#stencil.neumann, #stencil.extrapolate<2>]
// CHECK-NOT: arith.select
// CHECK: return
func.func @plain(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x boundary(<[0, 0], [9, 6]>) [#stencil.neumann, #stencil.extrapolate<2>] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-1, 0] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// Of what is kept, the points that the window needs are there, and read in
// memory; the rest, which no one uses, is read in a window. Point 1 along axis 1
// is read for those before the box, and for the last ones it lies beyond.
// CHECK-LABEL: @kept
// CHECK: stencil.load
// CHECK: %[[K:.*]] = stencil.load
// CHECK: %[[Z:.*]] = stencil.window shared %[[K]] prefetch none boundary(<[-1, -1], [9, 6]>) [#stencil.dirichlet<0.000000e+00 : f64>, #stencil.dirichlet<0.000000e+00 : f64>]
// CHECK: stencil.apply(%{{.*}} = %{{.*}} : {{.*}}, %[[IN_FIELD:.*]] = %[[K]] : {{.*}}, %[[PADDED:.*]] = %[[Z]]
// CHECK-DAG: stencil.access %[[IN_FIELD]][-1, -1]
// CHECK-DAG: stencil.access %[[PADDED]][-1, 2]
func.func @kept(%u: !field, %v: !field, %k: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %h = stencil.load %k : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.keep, #stencil.extrapolate<2>] keep %h : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-1, -1] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// Bounds that are known at run time only are arguments of the stage.
!any = !stencil.field<[-1,?+1]xf64>
!line = !stencil.temp<?xf64>
// CHECK-LABEL: @symbolic
// CHECK: %[[N:.*]] = stencil.extent 0
// CHECK: stencil.apply(%{{.*}} = %{{.*}} : {{.*}}, %[[ARG:.*]] = %[[N]] : index)
// CHECK: arith.subi %{{.*}}, %[[ARG]] : index
func.func @symbolic(%u: !any, %v: !any) {
  stencil.pipeline {
    %x = stencil.load %u : !any -> !line
    %s = stencil.apply(%a = %x : !line) -> (!line) {
      %c = stencil.access %a[0] : !line
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0], [?]>) [#stencil.neumann] : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      %l = stencil.access %a[1] : !line
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0], [?]>) : !line to !any
  }
  return
}

// A sum becomes accesses, and a copy in registers is read as the window is. Of
// what is read in a branch, the branch has the select.
// CHECK-LABEL: @sum
// CHECK: %[[Q:.*]] = stencil.window registers
// CHECK: stencil.apply(%[[A:.*]] = %[[Q]]
// CHECK-NOT: weighted_sum
// CHECK: scf.if
// CHECK: arith.select
// CHECK: stencil.return
func.func @sum(%u: !field, %v: !field, %on: i1) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0, 0], [9, 6]>) [#stencil.neumann, #stencil.neumann] : !temp
    %q = stencil.window registers %w depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp, %b = %on : i1) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %sum = stencil.weighted_sum %a offsets [[-1, 0], [1, 0]] weights dense<[2.0, 4.0]> : tensor<2xf64> : !temp
      %c = scf.if %b -> f64 {
        %l = stencil.access %a[0, 1] : !temp
        scf.yield %l : f64
      } else {
        scf.yield %sum : f64
      }
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}
