// RUN: stencil-opt %s --split-input-file --stencil-block-time | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-block-time --stencil-infer-shapes --stencil-bufferize -o /dev/null

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

// On a GPU, steps of several states are one apply, which has what two steps
// make. The rim, two radii wide, is computed in fields of its own: two more
// stand in for the wave's. These are zero at first.

// CHECK-LABEL: func.func @wave
// CHECK-COUNT-4: stencil.alloc
// CHECK: arith.constant 0.000000e+00 : f64
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg0, %[[NOW:.*]] = %arg1, %[[OLD2:.*]] = %{{.*}}, %[[NOW2:.*]] = %{{.*}}, %[[RO:.*]] = %{{.*}}, %[[RN:.*]] = %{{[0-9]+}})
// CHECK: stencil.store %{{.*}} to %[[RN]](<[0], [4]>)
// CHECK: stencil.store %{{.*}} to %[[RN]](<[60], [64]>)
// CHECK: stencil.boundary %[[RN]](<[0], [64]>) [#stencil.periodic]
// CHECK: stencil.store %{{.*}} to %[[RO]](<[0], [3]>)
// CHECK: stencil.boundary %[[RO]](<[0], [64]>) [#stencil.periodic]
// CHECK: stencil.store %{{.*}} to %[[RN]](<[0], [2]>)
// CHECK: stencil.store %{{.*}} to %[[OLD2]](<[0], [2]>)
// CHECK: stencil.store %{{.*}} to %[[NOW2]](<[0], [2]>)
// CHECK: %[[ALL:.*]]:2 = stencil.apply{{.*}} attributes {stencil.schedule = #stencil.schedule<regions = streams>, stencil.steps = 2 : i64}
// CHECK: stencil.store %[[ALL]]#1 to %[[OLD2]](<[2], [62]>)
// CHECK: stencil.store %[[ALL]]#0 to %[[NOW2]](<[2], [62]>)
// CHECK: scf.yield %[[OLD2]], %[[NOW2]], %[[OLD]], %[[NOW]], %[[RO]], %[[RN]]
func.func @wave(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    stencil.boundary %now(<[0], [64]>) [#stencil.periodic] : !field
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 2>} {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0], [64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

// One state, and the number of the step. It is read on one side only, and so is
// the rim.

// CHECK-LABEL: func.func @step_dependent
// CHECK: scf.for %[[M:.*]] = %{{.*}} to
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: stencil.apply{{.*}} stencil.steps = 3 : i64
// CHECK: stencil.store %{{.*}}(<[0], [61]>)
func.func @step_dependent(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %step = %i : index) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3>} {
      %c = stencil.access %x[1] : !temp
      %j = arith.index_cast %step : index to i64
      %k = arith.sitofp %j : i64 to f64
      %w = arith.mulf %c, %k : f64
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
