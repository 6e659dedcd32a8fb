// RUN: stencil-opt %s --split-input-file --stencil-block-time=core-cache-bytes=1048576 | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-block-time=core-cache-bytes=1048576 --remarks-filter=Steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIM
// RUN: stencil-opt %s --split-input-file --stencil-block-time=core-cache-bytes=1048576 --stencil-infer-shapes --stencil-bufferize -o /dev/null

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// Three steps are stages, on the whole interior, without a rim. The second one
// finds what the older field keeps, the third one what the newer one keeps.
// Eleven steps: three iterations leave two. A walk through rows goes on by two.

// CHECK-LABEL: func.func @kept
// CHECK-NOT: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// CHECK: stencil.pipeline axis 0 step 2 attributes {stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 1], stream = 0>, stencil.steps = 3 : i64}
// CHECK: %[[X:.*]] = stencil.load %[[U]]
// CHECK: %[[EVEN:.*]] = stencil.load %[[U]]
// CHECK: %[[ODD:.*]] = stencil.load %[[V]]
// CHECK: %[[K:.*]] = stencil.load %arg2
// CHECK: %[[ONE:.*]] = stencil.apply(%{{.*}} = %[[X]] : {{.*}}, %{{.*}} = %[[K]] : {{.*}}) {{.*}} #stencil.stage<lead = 2>
// CHECK: %[[Q:.*]] = stencil.window shared %[[ONE]] depth 4 lead 2 boundary(<[0, 0], [64, 64]>) [#stencil.keep, #stencil.keep] keep %[[ODD]]
// CHECK: %[[TWO:.*]] = stencil.apply(%{{.*}} = %[[Q]] : {{.*}}) {{.*}} #stencil.stage<lead = 1>
// CHECK: %[[R:.*]] = stencil.window shared %[[TWO]] depth 4 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.keep, #stencil.keep] keep %[[EVEN]]
// CHECK: %[[THREE:.*]] = stencil.apply(%{{.*}} = %[[R]] : {{.*}}) {{.*}} #stencil.stage<lead = 0>
// CHECK: stencil.store %[[THREE]] to %[[V]](<[0, 0], [64, 64]>)
// CHECK: scf.yield %[[V]], %[[U]]
// CHECK: scf.for
// CHECK-NOT: stencil.pipeline
func.func @kept(%a: !field, %b: !field, %k: !field) {
  %zero = arith.constant 0 : index
  %n = arith.constant 11 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %c = stencil.load %k : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3, block = [1, 32], points = [1, 1]>} {
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

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

// After an even number of steps the state is in the other field: what is
// around it there is of another step, so that the first stage is a copy, with
// what the first field keeps. A condition that takes values from the interior
// is set for every step, the first included.

// CHECK-LABEL: func.func @even
// CHECK-SAME: stencil.minimal_extents = array<i64: 1, 1>
// CHECK-NOT: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// CHECK-NOT: stencil.boundary
// CHECK: stencil.pipeline axis 1 attributes {{.*}}stencil.steps = 2 : i64
// CHECK: %[[X:.*]] = stencil.load %[[U]]
// CHECK: %[[EVEN:.*]] = stencil.load %arg0
// CHECK: %[[ODD:.*]] = stencil.load %arg1
// CHECK: %[[COPY:.*]] = stencil.apply(%{{.*}} = %[[X]] : {{.*}}) {{.*}} #stencil.stage<lead = 2>
// CHECK-NEXT: stencil.access %{{.*}}[0, 0]
// CHECK: stencil.window shared %[[COPY]] depth 3 lead 2 boundary(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.keep] keep %[[EVEN]]
// CHECK: %[[ONE:.*]] = stencil.apply{{.*}} #stencil.stage<lead = 1>
// CHECK: stencil.window shared %[[ONE]] depth 3 lead 1 boundary(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.keep] keep %[[ODD]]
// CHECK: stencil.store %{{.*}} to %[[V]](<[0, 0], [?, ?]>)
func.func @even(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 2, stream = 1, chain = shared>} {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// Along a periodic axis there is a rim, of whole rows of the other one.

// CHECK-LABEL: func.func @periodic
// CHECK: %[[LEVEL:.*]] = stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// CHECK: stencil.boundary %[[U]](<[0, 0], [64, 64]>) [#stencil.dirichlet<1.000000e+00 : f64>, #stencil.periodic]
// CHECK: stencil.store %{{.*}} to %[[LEVEL]](<[0, 0], [64, 2]>)
// CHECK: stencil.store %{{.*}} to %[[LEVEL]](<[0, 62], [64, 64]>)
// CHECK: stencil.store %{{.*}} to %[[V]](<[0, 0], [64, 1]>)
// CHECK: stencil.store %{{.*}} to %[[V]](<[0, 63], [64, 64]>)
// CHECK: stencil.pipeline
// CHECK: boundary(<[0, 0], [64, 64]>) [#stencil.dirichlet<1.000000e+00 : f64>, #stencil.periodic] :
// CHECK: stencil.store %{{.*}} to %[[V]](<[0, 1], [64, 63]>)
func.func @periodic(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.dirichlet<1.0>, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 2>} {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

// A value of outside of the loop is no load of a pipeline; one axis has no walk.

// RIM: what is near a boundary is computed step by step: input 1 of the step is a value of outside of the loop
// CHECK-LABEL: func.func @outside
// CHECK: stencil.store %{{.*}}(<[2], [62]>)
// CHECK-LABEL: func.func @row
// CHECK: stencil.pipeline attributes
// CHECK: stencil.window shared %{{.*}} boundary(<[0], [64]>) [#stencil.keep] keep
func.func @outside(%a: !field, %b: !field, %k: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = stencil.load %k : !field -> !temp
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3>} {
      %l = stencil.access %x[-1] : !temp
      %h = stencil.access %x[1] : !temp
      %d = arith.addf %l, %h : f64
      %m = stencil.access %y[0] : !temp
      %p = arith.mulf %d, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
func.func @row(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3>} {
      %l = stencil.access %x[-1] : !temp
      %h = stencil.access %x[1] : !temp
      %d = arith.addf %l, %h : f64
      stencil.return %d : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// Nine steps at once; of what they leave three, in tiles as asked for; what
// these leave one by one. Of 36, that are 27, 6 and 3.

// CHECK-LABEL: func.func @left
// CHECK: scf.for
// CHECK: stencil.pipeline axis 0 step 2 attributes {stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 1], stream = 0>, stencil.steps = 9 : i64}
// CHECK: scf.for
// CHECK: stencil.pipeline axis 0 step 2 attributes {stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 1], stream = 0>, stencil.steps = 3 : i64}
// CHECK: scf.for
// CHECK-NOT: stencil.pipeline
// CHECK: stencil.apply
func.func @left(%a: !field, %b: !field) {
  %zero = arith.constant 0 : index
  %n = arith.constant 36 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 9, block = [1, 32], points = [1, 1]>} {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
