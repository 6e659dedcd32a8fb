// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 2>' rim=at-once" | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 2>' rim=at-once" --stencil-infer-shapes --stencil-bufferize -o /dev/null

// All steps of the rim at once: what is near the boundary is copied to a field
// with margins, in which both steps of each slab are one apply.

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

// Halos are kept, and may be different in both fields: that of level 1 is in a
// field of its own. After an even number of steps they do not change places.

// CHECK-LABEL: func @keep
// CHECK-SAME: stencil.minimal_extents = array<i64: 9>
// CHECK: %[[ODD:.*]] = stencil.alloc : !stencil.field<[-2,?+2]xf64>
// CHECK: %[[EVEN:.*]] = stencil.alloc : !stencil.field<[-2,?+2]xf64>
// CHECK: stencil.store %{{.*}} to %[[EVEN]](<[-2], [?+2]>)
// CHECK: stencil.store %{{.*}} to %[[ODD]](<[-2], [?+2]>)
// CHECK: stencil.store %{{.*}} to %[[EVEN]](<[-1], [0]>)
// CHECK: stencil.store %{{.*}} to %[[ODD]](<[-1], [0]>)
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// CHECK: stencil.store %{{.*}} to %[[EVEN]](<[0], [4]>)
// CHECK: stencil.store %{{.*}} to %[[EVEN]](<[?-4], [?]>)
// CHECK: %[[T:.*]] = stencil.load %[[EVEN]]
// CHECK: %[[H:.*]] = stencil.load %[[ODD]]
// CHECK: %[[LOWER:.*]] = stencil.apply(%{{.*}} = %[[H]] : {{.*}}, %{{.*}} = %[[T]] : {{.*}}) -> {{.*}} attributes {stencil.regions = "keep", stencil.schedule = #stencil.schedule<regions = streams>, stencil.steps = 2 : i64}
// CHECK: %[[AT:.*]] = stencil.index 0 <[-1]>
// CHECK: %[[ONE:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}-2], [0]]
// CHECK: %[[KEPT:.*]] = stencil.access %{{.*}}[-1]
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[AT]], %{{.*}}
// CHECK: %[[WITH:.*]] = arith.select %[[IS]], %[[KEPT]], %[[ONE]]
// CHECK: stencil.weighted_sum %[[WITH]]
// CHECK: stencil.store %[[LOWER]] to %[[V]](<[0], [2]>)
// CHECK: arith.cmpi sge
// CHECK: stencil.store %{{.*}} to %[[V]](<[?-2], [?]>)
// The core has no test in it.
// CHECK-NOT: arith.cmpi
// CHECK: stencil.store %{{.*}} to %[[V]](<[2], [?-2]>)

func.func @keep(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// Of a periodic field the margins have images, and no step is different.

// CHECK-LABEL: func @periodic
// CHECK: %[[EVEN:.*]] = stencil.alloc : !stencil.field<[-2,66]x[-2,66]xf64>
// CHECK: scf.for
// CHECK: stencil.boundary %[[EVEN]](<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic]
// CHECK-NOT: arith.select
// CHECK: stencil.store %{{.*}}(<[2, 2], [62, 62]>)

func.func @periodic(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-2,65]x[0,64]xf64>
!temp = !stencil.temp<?x?xf64>

// Mirrored: each point of the halo has its own place inside.

// CHECK-LABEL: func @mirrored
// CHECK: stencil.steps = 2
// CHECK: %[[AT:.*]] = stencil.index 0 <[1, 0]>
// CHECK: %[[ONE:.*]] = stencil.weighted_sum %{{.*}} offsets {{\[\[}}-3, 0], [0, 0]]
// CHECK: %[[FAR:.*]] = stencil.weighted_sum %[[ONE]] offsets {{\[\[}}4, 0]]
// CHECK: %[[NEAR:.*]] = stencil.weighted_sum %[[ONE]] offsets {{\[\[}}2, 0]]
// CHECK: %[[FIRST:.*]] = arith.constant -1
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[AT]], %[[FIRST]]
// CHECK: %[[HALO:.*]] = arith.select %[[IS]], %[[NEAR]], %[[FAR]]
// CHECK: %[[BEYOND:.*]] = arith.cmpi slt, %[[AT]]
// CHECK: arith.select %[[BEYOND]], %[[HALO]], %[[ONE]]

func.func @mirrored(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.symmetric | #stencil.dirichlet<0.0>, #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-2, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
