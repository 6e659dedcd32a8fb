// Periodic axes have images in fields with room for them: a boundary op sets these once for several steps, and there is no rim.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 4>'" --remarks-filter=Steps 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// Where the rim is asked for.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time="schedule='#stencil.schedule<time = 4>' rim=steps" | FileCheck %s --check-prefix=RIM
// RIM-NOT: !stencil.field<[-4,
// Of walks through volumes: stencil-block-time-halos.mlir.

!field = !stencil.field<[-1,65]x[-1,64]xf64>
!temp = !stencil.temp<?x?xf64>

// All steps together read four rows on either side and four columns on the left. Rows, and their interiors, begin at 32 bytes.
// REMARK: remark: [Passed] Images | Category:Steps | Remark="periodic axes have images in fields with room for them, and no rim"
// CHECK-LABEL: func @plane
// CHECK-SAME: (%[[A:.*]]: !stencil.field{{.*}}, %[[B:.*]]: !stencil.field{{.*}}, %[[N:.*]]: index)
// CHECK-DAG: stencil.alloc : !stencil.field<[-4,68]x[-4,64]xf64>
// CHECK-DAG: stencil.alloc : !stencil.field<[-4,68]x[-4,64]xf64>
// Of eight steps and more, all but two or three are taken there.
// CHECK: %[[MANY:.*]] = arith.cmpi uge, %[[STEPS:.*]], %c8
// CHECK: arith.select %[[MANY]], %[[STEPS]], %c0
// CHECK: scf.if %[[MANY]] {
// CHECK: stencil.load %[[A]]
// CHECK: stencil.store %{{.*}} to %[[W:.*]](<[0, 0], [64, 64]>)
// Four steps, for which all is set at once, and the core is all points.
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[U:.*]] = %[[W]], %[[V:.*]] = %{{.*}}) -> (!stencil.field<[-4,68]x[-4,64]xf64>, !stencil.field<[-4,68]x[-4,64]xf64>) {
// CHECK-NEXT: stencil.boundary %[[U]](<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !stencil.field<[-4,68]x[-4,64]xf64>
// CHECK: stencil.apply{{.*}}stencil.steps = 4 : i64
// CHECK-NOT: stencil.apply
// CHECK: stencil.store %{{.*}} to %[[V]](<[0, 0], [64, 64]>)
// CHECK: scf.yield %[[V]], %[[U]]
// Fewer than four are left, wherever the state is.
// CHECK: %[[Q:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[R]]#0, %{{.*}} = %[[R]]#1) -> (!stencil.field<[-4,68]x[-4,64]xf64>, !stencil.field<[-4,68]x[-4,64]xf64>) {
// CHECK: scf.if %[[MANY]] {
// CHECK: stencil.load %[[Q]]#0
// CHECK: stencil.store %{{.*}} to %[[A]](<[0, 0], [64, 64]>)
// CHECK: scf.for {{.*}} to %[[N]] {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// RIM-LABEL: func @plane
// RIM: stencil.steps = 4
func.func @plane(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [1, 0]] weights dense<0.25> : tensor<4xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf32>
!temp = !stencil.temp<?x?xf32>

// Fields that have room stay where they are.
// CHECK-LABEL: func @roomy
// CHECK-NOT: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}})
// CHECK-NEXT: stencil.boundary %[[U]]
// CHECK: stencil.steps = 4
// CHECK-NOT: stencil.alloc
// CHECK: return
// RIM-LABEL: func @roomy
func.func @roomy(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.20> : tensor<5xf32> : !temp
      stencil.return %w : f32
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// A channel: of the axis between walls there is a rim, whose fields have images of points that nobody needs.
// CHECK-LABEL: func @channel
// CHECK: stencil.alloc : !stencil.field<[-1,65]x[-1,65]xf64>
// CHECK: stencil.alloc : !stencil.field<[-1,65]x[-4,68]xf64>
// CHECK: %[[ZERO:.*]] = stencil.apply() -> (!stencil.temp<[-1,65]x[-1,65]xf64>)
// CHECK: scf.for
// CHECK: stencil.apply{{.*}} -> (!stencil.temp<[0,6]x[0,64]xf64>)
// CHECK: stencil.apply{{.*}} -> (!stencil.temp<[58,64]x[0,64]xf64>)
// CHECK: stencil.apply{{.*}} -> (!stencil.temp<[3,61]x[0,64]xf64>){{.*}}stencil.steps = 4
// RIM-LABEL: func @channel
func.func @channel(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.20> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// A step that depends on where a point is would be another one at its image.
// CHECK-LABEL: func @places
// CHECK-NOT: !stencil.field<[-4,
// CHECK: stencil.steps = 4
// RIM-LABEL: func @places
func.func @places(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.20> : tensor<5xf64> : !temp
      %i0 = stencil.index 0 <[0, 0]>
      %j = arith.index_cast %i0 : index to i64
      %f = arith.sitofp %j : i64 to f64
      %y = arith.mulf %w, %f : f64
      stencil.return %y : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
