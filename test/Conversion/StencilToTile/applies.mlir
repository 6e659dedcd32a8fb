// An apply outside of a pipeline is a kernel without a walk: its inputs are
// fields, and it is computed where its points are in the domain.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-applies --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.field<[-1,65]xf64>
!field2 = !stencil.field<[-2,12]x[0,64]xf64>

// What is chosen for the block is in the grid; two points of a row are a vector.
// CHECK-LABEL: func.func @plain
// CHECK: tile.kernel @apply0(%[[U:.*]] = %arg0 : {{.*}}, %[[K:.*]] = %arg2 : f64, %[[V:.*]] = %arg1 : {{.*}}) grid <domain = <[0, 0], [64, 64]>, block = [4, 32], points = [1, 2], align = 2> attributes {keeps_lines} {
// CHECK-NEXT: %[[X:.*]] = tile.source %[[U]] : {{.*}} -> !stencil.temp<?x?xf64>
// CHECK-NEXT: tile.where {
// CHECK-NEXT: %[[R:.*]] = stencil.apply(%{{.*}} = %[[X]] : !stencil.temp<?x?xf64>, %{{.*}} = %[[K]] : f64) -> (!stencil.temp<[0,4]x[0,64]xf64>) {
// CHECK: tile.store %[[R]] to %[[V]]
// CHECK-NOT: stencil.schedule
func.func @plain(%u: !field, %v: !field, %k: f64) {
  stencil.apply(%x = %u : !field, %c = %k : f64) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 32], points = [1, 2], eviction = last>} {
    %a = stencil.access %x[0, 1] : !field
    %b = arith.mulf %a, %c : f64
    stencil.return %b : f64
  } to <[0, 0], [64, 64]>
  return
}

// Another order of blocks, and panels, are kept, and that a region is in a group.
// CHECK-LABEL: func.func @ordered
// CHECK: grid <domain = <[0, 0], [64, 64]>, block = [4, 32], points = [1, 1], order = [0, 1], panel = [0, 8], launch_bounds = 2> attributes {stencil.region_group = #stencil.region_group<0, launch>}
func.func @ordered(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.region_group = #stencil.region_group<0, launch>, stencil.schedule = #stencil.schedule<block = [4, 32], points = [1, 1], order = [0, 1], panel = [0, 8], launch_bounds = 2, eviction = normal>} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// In place: one argument. Nobody else reads the row, which has one axis.
// CHECK-LABEL: func.func @in_place
// CHECK: tile.kernel @apply0(%[[U:.*]] = %arg0 : {{.*}}, %[[W:.*]] = %arg1 : !stencil.field<[-1,65]xf64>) grid
// CHECK-NOT: keeps_lines
// CHECK-DAG: tile.source %[[U]] : {{.*}} -> !stencil.temp<?x?xf64>
// CHECK-DAG: tile.source %[[W]] : {{.*}} -> !stencil.temp<?xf64>
// CHECK: stencil.access %{{.*}}[_, 1] : !stencil.temp<?xf64>
// CHECK: tile.store %{{.*}} to %[[U]]
func.func @in_place(%u: !field, %w: !row) {
  stencil.apply(%x = %u : !field, %y = %w : !row) outs (%u : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
    %a = stencil.access %x[0, 0] : !field
    %b = stencil.access %y[_, 1] : !row
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// Kernels are numbered in their function. A domain that begins nobody knows
// where is not aligned.
// CHECK-LABEL: func.func @numbered
// CHECK: tile.kernel @apply0
// CHECK-SAME: align = 2
// CHECK: tile.kernel @apply1
// CHECK-NOT: align
// CHECK: return
func.func @numbered(%u: !stencil.field<[?-8,?+1]xf64>, %v: !stencil.field<[-8,?+1]xf64>) {
  stencil.apply(%x = %v : !stencil.field<[-8,?+1]xf64>) outs (%v : !stencil.field<[-8,?+1]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [32], points = [2]>} {
    %a = stencil.access %x[0] : !stencil.field<[-8,?+1]xf64>
    stencil.return %a : f64
  } to <[0], [?]>
  stencil.apply(%x = %u : !stencil.field<[?-8,?+1]xf64>) outs (%u : !stencil.field<[?-8,?+1]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [32], points = [2]>} {
    %a = stencil.access %x[0] : !stencil.field<[?-8,?+1]xf64>
    stencil.return %a : f64
  } to <[?-4], [?]>
  return
}

// The next tile's farthest rows are asked for: of %x two planes ahead, of %y
// none. Rows that are read along computed coordinates, nobody knows.
// CHECK-LABEL: func.func @ahead
// CHECK: tile.where {
// CHECK-NEXT: tile.prefetch %[[U:.*]], %[[W:.*]] at [2, 0] along 0
// CHECK-NEXT: stencil.apply
func.func @ahead(%u: !field2, %w: !field2, %v: !field2) {
  stencil.apply(%x = %u : !field2, %y = %w : !field2) outs (%v : !field2) attributes {stencil.schedule = #stencil.schedule<block = [2, 32], prefetch = l2>} {
    %a = stencil.access %x[-1, 0] : !field2
    %b = stencil.access %x[2, 0] : !field2
    %c = stencil.access %y[0, 1] : !field2
    %d = arith.addf %a, %b : f64
    %e = arith.addf %c, %d : f64
    stencil.return %e : f64
  } to <[0, 0], [10, 62]>
  return
}

// A store has the images of the boundary op behind it, along its periodic axes.
// CHECK-LABEL: func.func @images
// CHECK: tile.store %{{.*}} to %{{.*}} images [0] :
// CHECK-NOT: @boundary(%{{.*}} = %arg1
// CHECK: tile.kernel @boundary(%{{.*}} = %arg0
func.func @images(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 32], boundary = store>} {
    %a = stencil.access %x[0, 1] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.keep] : !field
  stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.keep] : !field
  return
}

// A body that returns several points: a thread has its points times as many. The first tile begins with the domain.
// CHECK-LABEL: func.func @unrolled
// CHECK: grid <domain = <[0, 0], [64, 63]>, block = [4, 8], points = [2, 6]>
// CHECK: stencil.return %{{.*}} unroll <[2, 3]>
func.func @unrolled(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 2]>} {
    %a = stencil.access %x[0, 0] : !field
    %b = stencil.access %x[1, 1] : !field
    stencil.return %a, %b, %a, %b, %a, %b unroll <[2, 3]> : f64, f64, f64, f64, f64, f64
  } to <[0, 0], [64, 63]>
  return
}
