// Of volumes whose halos are constants or kept, each step has its halo, and no rim is computed step by step.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 3, stream = 0, window = shared, chain = shuffle, prefetch = tma, block = [1, 4, 32], points = [1, 4, 2], segments = 2>'" --remarks-filter=Steps 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// Of chips without a copy engine, and where the rim is asked for.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_80 --stencil-block-time="schedule='#stencil.schedule<time = 3>'" | FileCheck %s --check-prefix=RIM
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 3>' rim=steps" | FileCheck %s --check-prefix=RIM
// RIM-NOT: stencil.pipeline

!field = !stencil.field<[-1,33]x[-1,65]x[-1,97]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Constants are set once, if there are steps to take; then a walk per three steps.
// REMARK: remark: [Passed] Halo | Category:Steps | Remark="each step has its halo, and there is no rim"
// CHECK-LABEL: func @constants
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[COUNT:.*]], %c0
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: stencil.boundary %arg0
// CHECK-NEXT: stencil.boundary %arg1
// CHECK: scf.for %{{.*}} to %[[COUNT]]
// CHECK: stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 32], points = [1, 4, 2], stream = 0, segments = 2>, stencil.steps = 3 : i64}
// Around the field there are zeros, which nobody needs.
// CHECK: stencil.window shared %{{.*}} depth 5 lead 5 prefetch tma boundary(<[-1, -1, -1], [33, 65, 97]>) [#stencil.dirichlet<0.000000e+00 : f64>
// CHECK: stencil.apply{{.*}}stage<lead = 2>
// Of a point outside along two axes, the last one says what is there: one select for the sides of axis 0, one for all others.
// CHECK: %[[SUM:.*]] = stencil.weighted_sum
// CHECK: %[[Z:.*]] = arith.cmpi ult, %{{.*}}, %c32
// CHECK: %[[FIRST:.*]] = arith.select %[[Z]], %[[SUM]], %cst
// CHECK: arith.cmpi ult, %{{.*}}, %c64
// CHECK: arith.cmpi ult, %{{.*}}, %c96
// CHECK: %[[IN:.*]] = arith.andi
// CHECK: %[[LAST:.*]] = arith.select %[[IN]], %[[FIRST]], %cst
// CHECK: stencil.return %[[LAST]]
// CHECK: stencil.window shuffle %{{.*}} depth 3 lead 2 exchange [1]
// CHECK: stage<lead = 1>
// CHECK: stencil.window shuffle %{{.*}} depth 3 lead 1 exchange [1]
// The last step is stored in the interior alone.
// CHECK: stage<lead = 0>
// CHECK-NOT: arith.select
// CHECK: stencil.store %{{.*}}(<[0, 0, 0], [32, 64, 96]>)
// CHECK-NOT: stencil.steps
// RIM-LABEL: func @constants
// RIM: stencil.steps = 3 : i64
func.func @constants(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [32, 64, 96]>) [#stencil.dirichlet<0.5>, #stencil.dirichlet<2.0>, #stencil.dirichlet<2.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [32, 64, 96]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,33]x[-1,65]x[-1,97]xf64>
!temp = !stencil.temp<?x?x?xf64>

// What is kept is compared, bit by bit, on each side: if the fields differ, the loop takes no step, and one with a rim takes them.
// REMARK: remark: [Passed] Halo | Category:Steps | Remark="each step has its halo, and there is no rim, where both fields keep the same values"
// CHECK-LABEL: func @kept
// CHECK-COUNT-6: stencil.fold %{{.*}} max
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
// CHECK: %[[COUNT:.*]] = arith.select %[[EQUAL]], %{{.*}}, %c0
// CHECK: scf.for %{{.*}} to %[[COUNT]]
// CHECK: stencil.pipeline
// CHECK: %[[OLD:.*]] = stencil.access %{{.*}}[0, 0, 0]
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[OLD]]
// CHECK: stencil.apply{{.*}}stencil.steps = 3 : i64
// RIM-LABEL: func @kept
// RIM: stencil.steps = 3 : i64
func.func @kept(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [32, 64, 96]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,33]x[-1,65]x[-1,97]xf64>
!temp = !stencil.temp<?x?x?xf64>

// What is periodic takes its values from the other end, which another block computes: images of it are in the fields (stencil-block-time-images.mlir). Where a step reads other fields, these have none, and there is a rim.
// REMARK: remark: [Missed] Halo | Category:Steps | Remark="what is near a boundary is computed step by step: the field is periodic along axis 0"
// CHECK-LABEL: func @periodic
// CHECK-NOT: stencil.pipeline
// RIM-LABEL: func @periodic
func.func @periodic(%a: !field, %b: !field, %k: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [32, 64, 96]>) [#stencil.periodic, #stencil.dirichlet<2.0>, #stencil.dirichlet<2.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %c = stencil.load %k : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      %e = stencil.access %y[0, 0, 0] : !temp
      %p = arith.mulf %w, %e : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [32, 64, 96]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,33]x[-1,65]x[-1,97]xf64>
!temp = !stencil.temp<?x?x?xf64>

// In a walk the steps have what other sides say, and nothing is chosen along periodic axes.
// CHECK-LABEL: func @images
// CHECK: stencil.boundary %{{.*}} : !stencil.field<[-3,35]x[-1,65]x[-4,100]xf64>
// CHECK: stencil.pipeline axis 0
// CHECK: stencil.apply
// CHECK: stencil.index 1
// CHECK-NOT: stencil.index
// CHECK: arith.select %{{.*}}, %{{.*}}, %cst
// CHECK: stencil.store %{{.*}}(<[0, 0, 0], [32, 64, 96]>)
// REMARK: remark: [Passed] Images | Category:Steps
// RIM-LABEL: func @images
func.func @images(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [32, 64, 96]>) [#stencil.periodic, #stencil.dirichlet<2.0>, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [32, 64, 96]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,33]x[-1,65]x[-1,97]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Of a field that does not change, which is read a plane behind, there are the planes that any of the steps reads, and one more on its way.
// REMARK: remark: [Passed] Halo | Category:Steps | Remark="each step has its halo, and there is no rim"
// CHECK-LABEL: func @coefficient
// CHECK: stencil.pipeline
// CHECK: %[[STATE:.*]] = stencil.window shared %{{.*}} depth 5 lead 5 prefetch tma
// CHECK: %[[FIELD:.*]] = stencil.window shared %{{.*}} depth 5 lead 3 prefetch tma boundary(<[-1, -1, -1], [33, 65, 97]>) [#stencil.dirichlet<0.000000e+00 : f64>
// CHECK: stencil.apply(%{{.*}} = %[[STATE]] : {{.*}}, %{{.*}} = %[[FIELD]] : {{.*}}stage<lead = 2>
// CHECK: stencil.apply(%{{.*}} = %{{.*}}, %{{.*}} = %[[FIELD]] : {{.*}}stage<lead = 1>
// CHECK: stencil.apply(%{{.*}} = %{{.*}}, %{{.*}} = %[[FIELD]] : {{.*}}stage<lead = 0>
// RIM-LABEL: func @coefficient
func.func @coefficient(%a: !field, %b: !field, %k: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [32, 64, 96]>) [#stencil.dirichlet<0.5>, #stencil.dirichlet<2.0>, #stencil.dirichlet<2.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %c = stencil.load %k : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      %e = stencil.access %y[-1, 0, 0] : !temp
      %p = arith.mulf %w, %e : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [32, 64, 96]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,33]x[-1,65]x[-1,97]xf64>
!line = !stencil.field<[0,32]xf64>
!temp = !stencil.temp<?x?x?xf64>

// One of lower rank is not brought.
// REMARK: remark: [Missed] Halo | Category:Steps | Remark="what is near a boundary is computed step by step: input 1 of the step is no field of the rank and type of the state"
// CHECK-LABEL: func @profile
// CHECK-NOT: stencil.pipeline
// RIM-LABEL: func @profile
func.func @profile(%a: !field, %b: !field, %k: !line, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [32, 64, 96]>) [#stencil.dirichlet<0.5>, #stencil.dirichlet<2.0>, #stencil.dirichlet<2.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %c = stencil.load %k : !line -> !stencil.temp<?xf64>
    %s = stencil.apply(%x = %t : !temp, %y = %c : !stencil.temp<?xf64>) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      %e = stencil.access %y[0, _, _] : !stencil.temp<?xf64>
      %p = arith.mulf %w, %e : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [32, 64, 96]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
