// Denormal numbers on a CPU: kept, unless they are to be taken for zero.
// REQUIRES: x86
// RUN: stencil-run %s --arg 0=random:1 --arg 1=zeros --verify=0 | FileCheck %s --check-prefix=KEPT
// RUN: stencil-run %s --arg 0=random:1 --arg 1=zeros --flush-denormals | FileCheck %s --check-prefix=FLUSHED
// RUN: stencil-run %s --arg 0=random:1 --arg 1=zeros --flush-denormals --threads 1 | FileCheck %s --check-prefix=FLUSHED
// KEPT: result 0: 9.99{{[0-9]*}}E-41
// FLUSHED: result 0: 0
// RUN: not stencil-run %s --arg 0=random:1 --arg 1=zeros --flush-denormals --target interpreter 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --flush-denormals needs --target cpu

!field = !stencil.field<[0,64]x[0,64]xf32>
!temp = !stencil.temp<?x?xf32>

func.func @shrink(%a: !field, %b: !field) -> f32 {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %v = stencil.access %x[0, 0] : !temp
    %tiny = arith.constant 1.0e-20 : f32
    %once = arith.mulf %v, %tiny : f32
    %twice = arith.mulf %once, %tiny : f32
    stencil.return %twice : f32
  }
  stencil.store %r to %b(<[0, 0], [64, 64]>) : !temp to !field
  %m = stencil.fold %b(<[0, 0], [64, 64]>) max : !field
  return %m : f32
}
