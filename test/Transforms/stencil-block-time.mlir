// RUN: stencil-opt %s --split-input-file --stencil-block-time | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-block-time --stencil-infer-shapes --stencil-bufferize -o /dev/null
// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 3, window = shared, chain = shared>' rim=steps" | FileCheck %s --check-prefix=ALL

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// Two steps at one radius from the boundary, of a state and of a field that
// does not change; eleven steps: four iterations leave three. The rim is two
// points wide after one step, whose halo is set, and one after the other.

// CHECK-LABEL: func @diffuse
// CHECK: %[[LEVEL:.*]] = stencil.alloc : !stencil.field<[-1,65]x[-1,65]xf64>
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[C4]] step %{{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// CHECK: %[[K:.*]] = stencil.load %arg2
// CHECK: stencil.boundary %[[U]](<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic]
// CHECK: %[[T:.*]] = stencil.load %[[U]]
// CHECK: stencil.apply(%{{.*}} = %[[T]] {{.*}}, %{{.*}} = %[[K]] {{.*}} #stencil.schedule<regions = launch>
// CHECK: stencil.store %{{.*}} to %[[LEVEL]](<[0, 0], [2, 64]>)
// CHECK: stencil.store %{{.*}} to %[[LEVEL]](<[62, 0], [64, 64]>)
// CHECK: #stencil.schedule<regions = launch>
// CHECK: stencil.store %{{.*}} to %[[LEVEL]](<[2, 0], [62, 2]>)
// CHECK: stencil.store %{{.*}} to %[[LEVEL]](<[2, 62], [62, 64]>)
// CHECK: stencil.boundary %[[LEVEL]](<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic]
// CHECK: stencil.store %{{.*}} to %[[V]](<[0, 0], [1, 64]>)
// CHECK: stencil.store %{{.*}} to %[[V]](<[1, 63], [63, 64]>)
// CHECK: %[[BOTH:.*]] = stencil.apply(%[[C:.*]] = %[[K]] : {{.*}}, %[[X:.*]] = %[[T]] : {{.*}}stencil.schedule = #stencil.schedule<stream = 0, chain = shared, regions = streams>, stencil.steps = 2 : i64
// CHECK-NEXT: %[[S:.*]] = stencil.weighted_sum %[[X]] offsets {{\[\[}}-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]]
// CHECK-NEXT: %[[A:.*]] = stencil.access %[[C]][0, 0]
// CHECK-NEXT: %[[ONE:.*]] = arith.mulf %[[S]], %[[A]]
// CHECK-NEXT: %[[S2:.*]] = stencil.weighted_sum %[[ONE]] offsets {{\[\[}}-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]]
// CHECK: %[[TWO:.*]] = arith.mulf %[[S2]],
// CHECK-NEXT: stencil.return %[[TWO]]
// CHECK: stencil.store %[[BOTH]] to %[[V]](<[1, 1], [63, 63]>)
// CHECK: scf.yield %[[V]], %[[U]]
// The steps that are left, as they were.
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[R]]#0, %{{.*}} = %[[R]]#1)
// CHECK-NOT: stencil.schedule

// What an apply says itself comes first.
// ALL-LABEL: func @diffuse
// ALL: stencil.steps = 2 : i64

func.func @diffuse(%a: !field, %b: !field, %k: !field) {
  %zero = arith.constant 0 : index
  %n = arith.constant 11 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %c = stencil.load %k : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<stream = 0, time = 2>} {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
      %m = stencil.access %y[0, 0] : !temp
      %p = arith.mulf %w, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

// No sum is needed. Nothing writes to the halos, which are different in both
// fields: after three steps the fields have changed places, so that the apply
// may read the halo; the fields of the rim have a copy, and change places, too.
// For all extents of at least nine.

// CHECK-LABEL: func @life
// CHECK-NOT: stencil.steps

// ALL-LABEL: func @life
// ALL-SAME: stencil.minimal_extents = array<i64: 9>
// ALL: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1, %[[ODD:.*]] = %{{.*}}, %[[EVEN:.*]] = %{{.*}})
// ALL: stencil.store %{{.*}} to %[[ODD]](<[0], [4]>)
// ALL: stencil.store %{{.*}} to %[[ODD]](<[?-4], [?]>)
// ALL: stencil.store %{{.*}} to %[[EVEN]](<[0], [3]>)
// ALL: stencil.store %{{.*}} to %[[V]](<[0], [2]>)
// ALL: stencil.schedule = #stencil.schedule<window = shared, chain = shared, regions = streams>{{.*}}stencil.steps = 3 : i64
// ALL-COUNT-3: arith.maximumf
// ALL: stencil.store %{{.*}} to %[[V]](<[2], [?-2]>)
// ALL: scf.yield %[[V]], %[[U]], %[[EVEN]], %[[ODD]]

func.func @life(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1] : !temp
      %h = stencil.access %x[1] : !temp
      %m = arith.maximumf %l, %h : f64
      stencil.return %m : f64
    }
    stencil.store %s to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
