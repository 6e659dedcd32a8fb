// Of a ring with 'edges = 1 of 4', a thread stores the first and the last of its four rows, and loads the one row that it reads beside them: what is above is in its registers.
// RUN: stencil-opt %S/../StencilToTile/exchanges.mlir --stencil-attach-target=chip=sm_90 --stencil-map-stages --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles | FileCheck %s

// Two slots of (1 + 4 * 2 + 1) rows of 68, at multiples of 128 bytes, which are some number from the start.
// CHECK: memref.store %{{.*}}, %[[RING:.*]][%{{.*}}] : memref<1376xf64, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier

// In the walk, behind its one barrier:
// CHECK: %{{.*}}:18 = scf.for
// CHECK: %{{.*}}:18 = scf.for
// CHECK: gpu.barrier
// CHECK: vector.store %{{.*}}, %[[RING]]
// CHECK-NOT: %[[RING]]
// CHECK-COUNT-6: gpu.shuffle
// CHECK-NOT: %[[RING]]
// CHECK: vector.store %{{.*}}, %[[RING]]
// CHECK-COUNT-2: gpu.shuffle
// CHECK: vector.load %[[RING]]
// CHECK-NOT: %[[RING]]
// CHECK: vector.store %{{.*}}, %arg1
