// What a boundary sets may be infinite, or too large by what k steps make of it: no number of a matrix. By itself the compiler then composes nothing;
// told to, it computes the rim step by step, or says why not.
// RUN: stencil-run %s --target emulator --chip sm_90 --math reassociate --arg 0=random:1 --arg 1=random:2 --arg 2=9 --verify
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-compose-steps="automatic math=reassociate" --remarks-filter=Compose 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: stencil-opt %s --stencil-compose-steps="steps=8 math=reassociate" | FileCheck %s --check-prefix=STEPS --implicit-check-not=stencil.matvec
// RUN: not stencil-opt %s --stencil-compose-steps="steps=8 rim=at-once math=reassociate" 2>&1 | FileCheck %s
// REMARK: [Missed] Steps | Category:Compose | Remark="steps are not composed: a number in the matrix of its rim is not finite, or too large for its type"
// STEPS: tensor<17xf64>
// CHECK: error: cannot compose 8 steps of this loop: a number in the matrix of its rim is not finite, or too large for its type

!field = !stencil.field<[-1,1001]xf64>
!temp = !stencil.temp<?xf64>

func.func @f(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [1000]>) [#stencil.neumann | #stencil.dirichlet<0x7FF0000000000000 : f64>] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.25, 0.5, 0.25]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [1000]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
