// Planes of which a loop has code of its own. What is not in the same registers
// again after so many is handed on by the loop, which moves it.
// RUN: stencil-opt %s --stencil-place-barriers --stencil-expand-walks | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.temp<[0,1]x[0,32]xf64>
!behind = !stencil.temp<[-1,0]x[0,32]xf64>
!further = !stencil.temp<[-2,-1]x[0,32]xf64>
!queue = !stencil.temp<[-2,1]x[0,32]xf64>
!open = !stencil.temp<?x?xf64>

// A queue turns through three places.
// CHECK-LABEL: @one_plane
// CHECK: tile.segment lookback 2
// CHECK: scf.for
// CHECK-NOT: tile.store
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1 iter_args(%{{.*}}, %[[Q1:.*]] = %{{.*}}) -> (
// CHECK: %[[NEW:.*]] = stencil.apply
// CHECK: tile.store
// CHECK-NOT: tile.store
// CHECK: %[[OLD:.*]] = tile.shift %[[Q1]]
// CHECK: %[[NEXT:.*]] = tile.shift %[[NEW]]
// CHECK: scf.yield %[[OLD]], %[[NEXT]]
// CHECK-NOT: scf.for
func.func @one_plane(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %none1 = ub.poison : !behind
    %none2 = ub.poison : !further
    %l:2 = tile.walk lookback 2 plane %p carry(%q2 = %none2 : !further, %q1 = %none1 : !behind) attributes {stencil.unroll = 1} {
      %m = tile.source %a[%p] : !field -> !open
      %n = stencil.apply(%t = %m : !open) -> (!row) {
        %s = stencil.access %t[0, 0] : !open
        stencil.return %s : f64
      }
      %x = tile.join %q2, %q1, %n : !further, !behind, !row -> !queue
      %r = stencil.apply(%t = %x : !queue) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-2, 0], [0, 0]] weights dense<0.5> : tensor<2xf64> : !queue
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
      %s2 = tile.shift %q1 : !behind -> !further
      %s1 = tile.shift %n : !row -> !behind
      tile.yield %s2, %s1 : !further, !behind
    }
  }
  return
}

// What is left is done one by one.
// CHECK-LABEL: @two_planes
// CHECK: scf.for %{{.*}} step %c2
// CHECK-COUNT-2: tile.store
// CHECK: scf.for %{{.*}} step %c1
// CHECK-COUNT-1: tile.store
// CHECK-NOT: tile.store
func.func @two_planes(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    %none1 = ub.poison : !behind
    %none2 = ub.poison : !further
    %l:2 = tile.walk plane %p carry(%q2 = %none2 : !further, %q1 = %none1 : !behind) attributes {stencil.unroll = 2} {
      %m = tile.source %a[%p] : !field -> !open
      %n = stencil.apply(%t = %m : !open) -> (!row) {
        %s = stencil.access %t[0, 0] : !open
        stencil.return %s : f64
      }
      %x = tile.join %q2, %q1, %n : !further, !behind, !row -> !queue
      %r = stencil.apply(%t = %x : !queue) -> (!row) {
        %s = stencil.weighted_sum %t offsets [[-2, 0], [0, 0]] weights dense<0.5> : tensor<2xf64> : !queue
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
      %s2 = tile.shift %q1 : !behind -> !further
      %s1 = tile.shift %n : !row -> !behind
      tile.yield %s2, %s1 : !further, !behind
    }
  }
  return
}

// Several planes at a time, stage by stage: twice that.
// CHECK-LABEL: @of_several
// CHECK: scf.for %{{.*}} step %c4
// CHECK-COUNT-4: tile.store
// CHECK: scf.for %{{.*}} step %c1
// CHECK-COUNT-1: tile.store
// CHECK-NOT: tile.store
func.func @of_several(%u: !field, %v: !field) {
  tile.kernel @k(%a = %u : !field, %b = %v : !field) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
    tile.walk unroll 2 plane %p attributes {stencil.unroll = 4} {
      %m = tile.source %a[%p] : !field -> !open
      %r = stencil.apply(%t = %m : !open) -> (!row) {
        %s = stencil.access %t[0, 0] : !open
        stencil.return %s : f64
      }
      tile.store %r to %b[%p] : !row to !field
    }
  }
  return
}
