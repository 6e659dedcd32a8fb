// An apply outside of a pipeline is a kernel without a walk: its inputs are
// fields, and it is computed where its points are in the domain.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-map-stages | FileCheck %s

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!row = !stencil.field<[-1,65]xf64>

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
