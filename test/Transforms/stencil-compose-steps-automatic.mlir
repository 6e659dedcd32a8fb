// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-compose-steps="automatic math=reassociate" --remarks-filter=Compose 2>%t | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=REMARK
// No matrix unit that was measured; sums in their order.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-compose-steps="automatic math=reassociate" | FileCheck %s --check-prefix=NONE
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-compose-steps="automatic math=contract" --remarks-filter=Compose 2>%t | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --input-file=%t --check-prefix=ORDER
// Without a target, and on the way to a GPU if a schedule is asked for.
// RUN: stencil-opt %s --stencil-simplify=math=reassociate | FileCheck %s --check-prefix=NONE
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_90 math=reassociate schedule=default" | FileCheck %s --check-prefix=NONE
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_90 math=reassociate" | FileCheck %s --check-prefix=TILES

// 256 steps, then 32 of those that are left; four at once would take longer than one by one.

// REMARK: remark: [Passed] Steps | Category:Compose | Remark="256 steps become one: predicted {{.*}} us per step, {{.*}} without it"
// REMARK-NOT: remark
// ORDER: remark: [Missed] Steps | Category:Compose | Remark="steps are not composed: the order of its sums may not be changed;

// CHECK-LABEL: func @line
// CHECK: scf.for
// CHECK: tensor<256x513xf64>
// CHECK: tensor<256x513xf64>
// CHECK: tensor<513xf64>
// CHECK: scf.for
// CHECK: tensor<32x65xf64>
// CHECK: tensor<65xf64>
// CHECK: scf.for
// CHECK: tensor<3xf64>
// CHECK-NOT: scf.for
// NONE-NOT: stencil.matvec
// TILES-LABEL: func @line
// TILES: #tile.mma
// TILES-LABEL: func @asked
// TILES-NOT: stencil.matvec

!field = !stencil.field<[-1,1000001]xf64>
!temp = !stencil.temp<?xf64>

func.func @line(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [1000000]>) [#stencil.dirichlet<2.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.3, 0.4, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [1000000]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// What is asked for is for one step.

// CHECK-LABEL: func @asked
// CHECK-NOT: stencil.matvec

func.func @asked(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [256]>} {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.3, 0.4, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [1000000]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
