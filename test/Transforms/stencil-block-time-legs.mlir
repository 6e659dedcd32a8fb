// Of planes by legs, steps have their halos where conditions allow it: there is no rim. Legs are equal, so that the last step has its halo, too.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 4, relay = 2, stream = 0, window = shared, chain = shuffle, prefetch = async, block = [1, 32], points = [1, 9]>'" --remarks-filter=Steps 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// Where sums may be in any order, they are scattered over rows, and scaled.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="math=reassociate schedule='#stencil.schedule<time = 4, relay = 2, stream = 0, window = shared, chain = shuffle, prefetch = async, block = [1, 32], points = [1, 9], accumulate = scatter>'" | FileCheck %s --check-prefix=SCATTER
// Others than NVIDIA's have copies by registers.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=gfx942 --stencil-block-time="schedule='#stencil.schedule<time = 4, relay = 2, stream = 0, window = shared, chain = shuffle, prefetch = async, block = [1, 32], points = [1, 9]>'" | FileCheck %s --check-prefix=AMD
// Where a rim is asked for, there is one.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 4, relay = 2, stream = 0, window = shared, chain = shuffle, prefetch = async, block = [1, 32], points = [1, 9]>' rim=steps" | FileCheck %s --check-prefix=RIM
// What is chosen has none where the program sets all halos and it is predicted to be slower.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic | FileCheck %s --check-prefix=CHOSEN
// RIM-NOT: stencil.pipeline
// RIM: stencil.steps

!field = !stencil.field<[-1,10241]x[-1,10241]xf64>
!temp = !stencil.temp<?x?xf64>

// REMARK: remark: [Passed] Halo | Category:Steps | Remark="each step has its halo, and there is no rim"
// Columns at the ends of rows are pipelines of their own, in more segments. Rows next to sides are told by all of them.
// CHECK-LABEL: func @constants
// CHECK: stencil.pipeline axis 0 attributes {stencil.inner = #stencil.bounds<[1, 0], [10239, 10240]>, {{.*}}segments = 17, regions = streams, relay = 2>, stencil.steps = 4 : i64}
// CHECK: stencil.window shared %{{.*}} depth 8 {{.*}} prefetch async boundary(<[-1, -1], [10241, 10241]>) [#stencil.dirichlet<0.000000e+00 : f64>
// CHECK: stencil.apply{{.*}}stage<lead = 3>
// Rows outside by their number; beside rows, the points that are read.
// CHECK: %[[ROW:.*]] = stencil.index 0
// CHECK: arith.cmpi ult, %[[ROW]]
// CHECK: %[[COLUMN:.*]] = stencil.index 1
// CHECK: arith.cmpi ne, %[[COLUMN]], %{{c-1.*}} :
// CHECK-NOT: arith.cmpi ne
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{cst.*}} : f64
// CHECK: stencil.window shuffle %{{.*}} depth 3 lead 3 :
// CHECK: stage<lead = 0>
// CHECK: stencil.index 0
// CHECK: stencil.store %{{.*}}(<[0, 0], [10240, 280]>)
// CHECK: stencil.pipeline axis 0 attributes {{.*}}segments = 14, regions = streams
// CHECK: stencil.index 0
// CHECK-NOT: stencil.index 1
// CHECK: stencil.store %{{.*}}(<[0, 280], [10240, 10080]>)
// CHECK: stencil.pipeline axis 0 attributes {{.*}}segments = 17, regions = streams
// CHECK: arith.cmpi ne, %{{.*}}, %{{c10240.*}} :
// CHECK: stencil.store %{{.*}}(<[0, 10080], [10240, 10240]>)
// CHOSEN-LABEL: func @constants
// CHOSEN: stencil.pipeline axis 0 attributes {{.*}}relay = 4>, stencil.steps = 16
// CHOSEN: stencil.pipeline axis 0
// CHOSEN: stencil.pipeline axis 0
// What is left has a rim.
// CHOSEN: stencil.steps = 5
// SCATTER-LABEL: func @constants
// SCATTER: stencil.pipeline
// Of three rows, a term each; constants beside rows are chosen by who reads them.
// SCATTER: %[[T:.*]]:3 = stencil.apply(%[[X:[^ ]*]] = %{{.*}}stage<lead = 4>
// SCATTER: %[[HERE:.*]] = stencil.access %[[X]][0, 0]
// What is stored a row later is outside where that row is.
// SCATTER: stencil.index 0 <[1, 0]>
// SCATTER: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f64
// SCATTER: %[[BESIDE:.*]] = stencil.access %[[X]][0, -1]
// SCATTER: %[[FIRST:.*]] = arith.cmpi ne, %{{.*}}, %{{c0.*}} : index
// SCATTER: arith.select %[[FIRST]], %[[BESIDE]], %{{.*}} : f64
// SCATTER: stencil.return
// SCATTER: %[[SUM:.*]] = stencil.accumulate %[[T]]#0, %[[T]]#1, %[[T]]#2 at [-1, 0, 1]
// SCATTER: stencil.window shuffle %[[SUM]] depth 1 lead 3
// AMD-LABEL: func @constants
// AMD: stencil.window shared {{.*}}prefetch registers
func.func @constants(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [10240, 10240]>) [#stencil.dirichlet<0.5>, #stencil.dirichlet<0.5>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.25, 0.15, 0.12]> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [10240, 10240]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10241]x[-1,10241]xf64>
!temp = !stencil.temp<?x?xf64>

// Kept halos are what was there before, if both fields have the same; of scaled steps, divided by the factor, and multiplied again in the last
// step of a leg. Else there is a rim.
// REMARK: Remark="each step has its halo, and there is no rim, where both fields keep the same values"
// CHECK-LABEL: func @kept
// CHECK: stencil.fold
// CHECK: stencil.pipeline
// CHECK: %[[HERE:.*]] = stencil.access %{{.*}}[0, 0]
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[HERE]] : f64
// CHECK: stencil.steps = 4
// CHOSEN-LABEL: func @kept
// CHOSEN-NOT: stencil.pipeline
// CHOSEN: stencil.steps = 16
// SCATTER-LABEL: func @kept
// SCATTER: stencil.pipeline
// SCATTER: stencil.apply
// SCATTER-DAG: arith.constant 4.000000e+00 : f64
// SCATTER: arith.mulf
// SCATTER: stencil.apply
// SCATTER-DAG: arith.constant 2.500000e-01 : f64
func.func @kept(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.25, 0.2, 0.1, 0.15, 0.12]> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [10240, 10240]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10241]x[-1,10241]xf64>
!temp = !stencil.temp<?x?xf64>

// What follows from points inside is chosen by who reads it; that is no term of a row, so that sums are scattered with a rim only.
// CHECK-LABEL: func @inside
// CHECK: scf.for
// CHECK-NOT: stencil.boundary
// CHECK: stencil.pipeline axis 0 attributes {stencil.inner =
// CHOSEN-LABEL: func @inside
// CHOSEN: stencil.pipeline axis 0 attributes {{.*}}relay = 4>, stencil.steps = 16
// SCATTER-LABEL: func @inside
// SCATTER-NOT: stencil.pipeline
// SCATTER: stencil.steps = 4
func.func @inside(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [10240, 10240]>) [#stencil.neumann, #stencil.symmetric | #stencil.dirichlet<1.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.25, 0.15, 0.12]> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [10240, 10240]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,10241]x[-1,10241]xf64>
!temp = !stencil.temp<?x?xf64>

// REMARK: remark: [Missed] Halo | Category:Steps | Remark="what is near a boundary is computed step by step: the field is periodic along axis 1"
// CHOSEN-LABEL: func @periodic
// CHOSEN-NOT: stencil.pipeline
// CHECK-LABEL: func @periodic
// CHECK-NOT: stencil.pipeline
// CHECK: stencil.steps = 4
func.func @periodic(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [10240, 10240]>) [#stencil.neumann, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.25, 0.15, 0.12]> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [10240, 10240]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
