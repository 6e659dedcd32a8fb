// Of volumes whose halos follow from points inside, a step chooses what it reads beyond a side, and no rim is computed step by step.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 2, stream = 0, window = shared, chain = shuffle, prefetch = tma, block = [1, 4, 32], points = [1, 4, 2], segments = 2>'" --remarks-filter=Steps 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// Chosen, too.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic --remarks-filter=Steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHOSEN
// Where a rim is asked for, there is one.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 2>' rim=steps" | FileCheck %s --check-prefix=RIM
// RIM-NOT: stencil.pipeline

!field = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?x?xf64>

// REMARK: remark: [Passed] Halo | Category:Steps | Remark="each step has its halo, and there is no rim"
// CHOSEN: Remark="3 steps at once: predicted
// CHOSEN: Remark="each step has its halo, and there is no rim"
// Nothing is set around the fields, before the loop or in it.
// CHECK-LABEL: func @mixed
// CHECK-NOT: stencil.boundary
// At points within this box, nothing is chosen.
// CHECK: stencil.pipeline axis 0 attributes {stencil.inner = #stencil.bounds<[1, 1, 1], [511, 511, 511]>, {{.*}}stencil.steps = 2 : i64}
// CHECK: stencil.window shared %{{.*}} boundary(<[-1, -1, -1], [513, 513, 513]>) [#stencil.dirichlet<0.000000e+00 : f64>
// The first step chooses what memory has no halo for.
// CHECK: stencil.apply(%[[X:.*]] = %{{.*}}stage<lead = 1>
// Below axis 0, the nearest point; above it, the one before that.
// CHECK-DAG: %[[HERE:.*]] = stencil.access %[[X]][0, 0, 0]
// CHECK-DAG: %[[BELOW:.*]] = stencil.access %[[X]][-1, 0, 0]
// CHECK: arith.select %{{.*}}, %[[HERE]], %[[BELOW]]
// CHECK: %[[ABOVE:.*]] = stencil.access %[[X]][1, 0, 0]
// CHECK: arith.select %{{.*}}, %[[BELOW]], %[[ABOVE]]
// Below axis 2, with the other sign; above it, the line through two points.
// CHECK: arith.negf
// CHECK: stencil.return
// CHECK: stencil.window shuffle %{{.*}} depth 3 lead 1 exchange [1]
// CHECK: stage<lead = 0>
// CHECK: arith.select
// CHECK: stencil.store %{{.*}}(<[0, 0, 0], [512, 512, 512]>)
// The halos of what is left are set as they were.
// CHECK: stencil.boundary
// RIM-LABEL: func @mixed
// RIM: stencil.steps = 2 : i64
func.func @mixed(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [512, 512, 512]>) [#stencil.neumann | #stencil.symmetric, #stencil.neumann, #stencil.antisymmetric | #stencil.extrapolate<1>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[0, 0, 0], [-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0]] weights dense<[0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Constants stand in the steps, as where all sides are constants; nobody chooses there.
// CHECK-LABEL: func @beside_constants
// CHECK-COUNT-2: stencil.boundary
// CHECK: stencil.pipeline
// CHECK-SAME: stencil.inner = #stencil.bounds<[1, 1, 1], [511, 511, 511]>
// CHECK: arith.select
// CHECK: arith.select
// CHECK: arith.select %{{.*}}, %{{.*}}, %cst
// CHECK-NEXT: stencil.return
func.func @beside_constants(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [512, 512, 512]>) [#stencil.neumann, #stencil.dirichlet<2.0>, #stencil.dirichlet<2.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,513]x[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?x?xf64>

// A condition that takes its values from farther inside than a step reads would make all tiles wider.
// REMARK: remark: [Missed] Halo | Category:Steps | Remark="what is near a boundary is computed step by step: a boundary condition takes values from farther inside than a step reads along axis 1"
// CHOSEN: Remark="what is near a boundary is computed step by step: a boundary condition takes
// CHECK-LABEL: func @farther
// CHECK-NOT: stencil.pipeline
func.func @farther(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0, 0], [512, 512, 512]>) [#stencil.neumann, #stencil.extrapolate<2>, #stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] weights dense<0.14> : tensor<7xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0, 0], [512, 512, 512]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
