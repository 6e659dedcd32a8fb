// CSE makes one of two equal applies, of which one is buffered: its result is then buffered and read besides. The
// verifier took that for an error.
// RUN: stencil-opt %s --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s --canonicalize --cse -o %t.mlir
// RUN: stencil-run %t.mlir --arg 0=random:1 --arg 1=zeros --verify=0
// RUN: stencil-run %t.mlir --arg 0=random:1 --arg 1=zeros --target emulator --chip sm_90 --verify=0
// RUN: stencil-run %s --target interpreter --arg 0=random:1 --arg 1=zeros --out 1=%t.npy
// RUN: stencil-run %t.mlir --target interpreter --arg 0=random:1 --arg 1=zeros --out 1=%t.cse.npy
// RUN: cmp %t.npy %t.cse.npy

!field = !stencil.field<[-2,34]xf64>
!temp = !stencil.temp<?xf64>

// CHECK: %[[ONE:.*]] = stencil.apply
// CHECK: %[[BUFFER:.*]] = stencil.buffer %[[ONE]]
// CHECK: stencil.apply(%{{.*}} = %[[BUFFER]] : {{.*}}, %{{.*}} = %[[ONE]] : {{.*}})
func.func @f(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %a = stencil.apply(%i = %x : !temp) -> (!temp) {
    %p = stencil.access %i[-1] : !temp
    %q = stencil.access %i[1] : !temp
    %s = arith.addf %p, %q : f64
    stencil.return %s : f64
  }
  %b = stencil.apply(%i = %x : !temp) -> (!temp) {
    %p = stencil.access %i[-1] : !temp
    %q = stencil.access %i[1] : !temp
    %s = arith.addf %p, %q : f64
    stencil.return %s : f64
  }
  %c = stencil.buffer %b : !temp -> !temp
  %r = stencil.apply(%i = %c : !temp, %j = %a : !temp) -> (!temp) {
    %p = stencil.access %i[-1] : !temp
    %q = stencil.access %j[1] : !temp
    %s = arith.mulf %p, %q : f64
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0], [32]>) : !temp to !field
  return
}
