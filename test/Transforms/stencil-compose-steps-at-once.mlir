// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=2 rim=at-once math=reassociate" | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=3 rim=at-once math=reassociate" | FileCheck %s --check-prefix=ODD
// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=8 math=reassociate" | FileCheck %s --check-prefix=AUTO
// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=2 rim=at-once math=reassociate" --canonicalize --cse --stencil-infer-shapes --stencil-bufferize -o /dev/null
// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=8 tolerance=0.01 math=reassociate" | FileCheck %s --check-prefix=CUT

!field = !stencil.field<[-1,64]xf64>
!temp = !stencil.temp<?xf64>

// One tap to the left, half of either: after two steps point 0 is half of
// itself, a quarter of the halo that the first step reads and half of that of
// the second one; with u(-1) = 1 at all levels, 0.75 + 0.25 u(0). The upper
// end has no rim.

// Eight steps have the weights 1, 8, 28, 56, 70, 56, 28, 8, 1 by 256: without 1 by
// 256 at either end, and no more, 0.0078 of all are dropped.
// CUT-LABEL: func @dirichlet
// CUT: tensor<7x8xf64>
// CUT: stencil.weighted_sum %{{.*}} offsets {{\[\[}}-7], [-6], [-5], [-4], [-3], [-2], [-1]] weights dense<[3.125000e-02, 1.093750e-01, 2.187500e-01, 0.2734375, 2.187500e-01, 1.093750e-01, 3.125000e-02]>
// CUT: stencil.store %{{.*}}(<[7], [64]>)

// CHECK-LABEL: func @dirichlet
// CHECK: %[[W:.*]] = stencil.alloc : !stencil.field<[-3,66]xf64>
// CHECK: %[[ONE:.*]] = stencil.apply() -> (!stencil.temp<[-1,0]xf64>)
// CHECK: arith.constant 1.000000e+00
// CHECK: stencil.store %[[ONE]] to %[[W]](<[-1], [0]>)
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// CHECK: %[[T:.*]] = stencil.load %[[U]]
// CHECK: stencil.apply({{.*}} = %[[T]]
// CHECK: stencil.store %{{.*}} to %[[W]](<[0], [2]>)
// CHECK: %[[S:.*]] = stencil.load %[[W]]
// CHECK: stencil.apply(%[[X:.*]] = %[[S]]
// CHECK: %[[I:.*]] = stencil.index 0 <[0]>
// CHECK: stencil.matvec %[[X]][%[[I]]] from -1 matrix dense<{{\[\[}}7.500000e-01, 2.500000e-01, 0.000000e+00], [2.500000e-01, 5.000000e-01, 2.500000e-01]]> : tensor<2x3xf64>
// CHECK: stencil.store %{{.*}} to %[[V]](<[0], [2]>)
// CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}-2], [-1], [0]]
// CHECK: stencil.store %{{.*}} to %[[V]](<[2], [64]>)
// CHECK: scf.yield %[[V]], %[[U]]

func.func @dirichlet(%a: !field, %b: !field) {
  %zero = arith.constant 0 : index
  %n = arith.constant 15 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [64]>) [#stencil.dirichlet<1.0> | #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [0]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

// Both halos stay as they are, each in its field: the matrix has a column for
// either. Columns of the lower end: point -1 of the field that is read at the
// second step, of the one that is read at the first, points 0 to 3.

// CHECK-LABEL: func @kept
// CHECK-SAME: stencil.minimal_extents = array<i64: 5>
// CHECK: %[[W:.*]] = stencil.alloc : !stencil.field<[-4,?+4]xf64>
// After an even number of steps halos are where they were: once, before the loop.
// CHECK: %[[A:.*]] = stencil.load %arg0
// CHECK: stencil.store %{{.*}} to %[[W]](<[-1], [0]>)
// CHECK: %[[B:.*]] = stencil.load %arg1
// CHECK: stencil.apply(%[[Y:.*]] = %[[B]]
// CHECK: stencil.access %[[Y]][1]
// CHECK: stencil.store %{{.*}} to %[[W]](<[-2], [-1]>)
// CHECK: stencil.store %{{.*}} to %[[W]](<[?], [?+1]>)
// CHECK: stencil.access %{{.*}}[-1]
// CHECK: stencil.store %{{.*}} to %[[W]](<[?+1], [?+2]>)
// CHECK: scf.for
// CHECK: stencil.store %{{.*}} to %[[W]](<[0], [4]>)
// CHECK: stencil.store %{{.*}} to %[[W]](<[?-4], [?]>)
// CHECK: stencil.matvec {{.*}} from -2 matrix dense<{{\[\[}}5.000000e-01, 2.500000e-01, 3.750000e-01, 2.500000e-01, 6.250000e-02, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01, 5.000000e-01, 2.500000e-01, 6.250000e-02]]> : tensor<2x6xf64>
// CHECK: stencil.store %{{.*}}(<[0], [2]>)
// The upper end: the row is known with the extent.
// CHECK: %[[N:.*]] = stencil.extent 0
// CHECK: %[[F:.*]] = arith.addi %[[N]], %c-2
// CHECK: stencil.apply({{.*}}, %[[FIRST:.*]] = %[[F]] : index)
// CHECK: %[[I:.*]] = stencil.index 0 <[0]>
// CHECK: %[[ROW:.*]] = arith.subi %[[I]], %[[FIRST]]
// CHECK: stencil.matvec %{{.*}}[%[[ROW]]] from -2 matrix
// CHECK: stencil.store %{{.*}}(<[?-2], [?]>)
// CHECK: stencil.store %{{.*}}(<[2], [?-2]>)

// After an odd number, in every turn.
// ODD-LABEL: func @kept
// ODD-NOT: stencil.load
// ODD: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// ODD: stencil.load %[[V]]

// From eight steps on by itself.
// AUTO-LABEL: func @kept
// AUTO: tensor<8x18xf64>

func.func @kept(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.5, 0.5, 0.25]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,?+1]xf32>
!temp = !stencil.temp<?xf32>

// The composed sum, of a copy with images.

// CHECK-LABEL: func @periodic
// CHECK: %[[W:.*]] = stencil.alloc : !stencil.field<[-2,?+2]xf32>
// CHECK: scf.for
// CHECK: stencil.store %{{.*}} to %[[W]](<[0], [4]>)
// CHECK: stencil.store %{{.*}} to %[[W]](<[?-4], [?]>)
// CHECK: stencil.boundary %[[W]](<[0], [?]>) [#stencil.periodic]
// CHECK: stencil.load %[[W]]
// CHECK: tensor<5xf32>
// CHECK: stencil.store %{{.*}}(<[0], [2]>)
// CHECK: tensor<5xf32>
// CHECK: stencil.store %{{.*}}(<[?-2], [?]>)
// CHECK: tensor<5xf32>
// CHECK: stencil.store %{{.*}}(<[2], [?-2]>)
// CHECK-NOT: stencil.matvec

func.func @periodic(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [?]>) [#stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.5, 0.5, 0.25]> : tensor<3xf32> : !temp
      stencil.return %w : f32
    }
    stencil.store %s to %v(<[0], [?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
