// A value that is not specified ended in the name of an interface of LLVM.
// RUN: not stencil-run %s --arg 0=random:1 2>&1 | FileCheck %s
// RUN: not stencil-run %s --arg 0=random:1 --target interpreter 2>&1 | FileCheck %s
// RUN: not stencil-opt %s --stencil-to-cpu 2>&1 | FileCheck %s
// RUN: not stencil-opt %s --stencil-to-nvvm=chip=sm_90 2>&1 | FileCheck %s
// Where it is, or where it is folded to.
// CHECK: poison.mlir:{{13|14}}:10: error: 'ub.poison' op has no value and cannot be run

func.func @unspecified(%a: !stencil.field<[0,33]xi32>) {
  %t = stencil.load %a : !stencil.field<[0,33]xi32> -> !stencil.temp<?xi32>
  %r = stencil.apply(%x = %t : !stencil.temp<?xi32>) -> (!stencil.temp<?xi32>) {
    %v = stencil.access %x[0] : !stencil.temp<?xi32>
    %p = ub.poison : i32
    %s = arith.addi %v, %p : i32
    stencil.return %s : i32
  }
  stencil.store %r to %a(<[0], [33]>) : !stencil.temp<?xi32> to !stencil.field<[0,33]xi32>
  return
}
