// Fields of indices on GPUs: how wide an index is was asked of a type that has no width.
// RUN: stencil-run %s --extents 5,6,19 --arg 0=random:3 --arg 1=zeros --verify=0
// RUN: stencil-run %s --extents 5,6,19 --arg 0=random:3 --arg 1=zeros --verify=0 --target emulator --chip sm_90
// RUN: stencil-run %s --extents 5,6,19 --arg 0=random:3 --arg 1=zeros --verify=0 --target emulator --chip gfx942 \
// RUN:   --schedule st_smem
// RUN: stencil-run %s --extents 5,6,19 --arg 0=random:3 --arg 1=zeros --verify=0 --target emulator --chip gfx942 \
// RUN:   --schedule vec
// RUN: stencil-translate %s --to-ptx --chip sm_90 --schedule st_semi -o - | FileCheck %s --check-prefix=PTX
// RUN: stencil-translate %s --to-cuda --chip sm_90 --schedule smem_u -o - | FileCheck %s --check-prefix=CUDA
// RUN: not stencil-translate %s --to-ptx --chip sm_90 -o %t.ptx 2>&1 \
// RUN:   --schedule '#stencil.schedule<block = [1, 4, 32], stream = 0, window = shared, prefetch = async, stages = 4>' \
// RUN:   | FileCheck %s --check-prefix=ASYNC
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-attach-target=chip=gfx90a --stencil-select-schedule

// PTX: ld.shared.b64
// CUDA: long long *view0 = reinterpret_cast<long long *>(&stencilShared[0]);
// ASYNC: index-fields-on-gpus.mlir:{{.*}}: error: {{.*}}no asynchronous copy has elements of type 'index'

!f = !stencil.field<[-2,?+2]x[-2,?+2]x[-2,?+2]xf64>
!t = !stencil.temp<?x?x?xf64>
!n = !stencil.temp<?x?x?xindex>

func.func @f(%p: !stencil.field<?x?x?xf64>, %q: !stencil.field<?x?x?xf64>) {
  %u = stencil.cast %p : !stencil.field<?x?x?xf64> -> !f
  %v = stencil.cast %q : !stencil.field<?x?x?xf64> -> !f
  %a = stencil.load %u : !f -> !t
  %numbers = stencil.apply(%x = %a : !t) -> (!n) {
    %c = stencil.access %x[0, 0, 0] : !t
    %eight = arith.constant 8.0 : f64
    %s = arith.mulf %c, %eight : f64
    %i = arith.fptosi %s : f64 to i64
    %k = arith.index_cast %i : i64 to index
    %j = stencil.index 2 <[0, 0, 0]>
    %n = arith.addi %k, %j : index
    stencil.return %n : index
  }
  %kept = stencil.buffer %numbers : !n -> !n
  %r = stencil.apply(%x = %kept : !n) -> (!t) {
    %0 = stencil.access %x[-1, 0, 0] : !n
    %1 = stencil.access %x[1, 0, 0] : !n
    %2 = stencil.access %x[0, -1, 0] : !n
    %3 = stencil.access %x[0, 1, 0] : !n
    %4 = stencil.access %x[0, 0, -1] : !n
    %5 = stencil.access %x[0, 0, 2] : !n
    %6 = arith.addi %0, %1 : index
    %7 = arith.muli %2, %3 : index
    %8 = arith.subi %4, %5 : index
    %9 = arith.addi %6, %7 : index
    %10 = arith.addi %9, %8 : index
    %11 = arith.index_cast %10 : index to i64
    %12 = arith.sitofp %11 : i64 to f64
    stencil.return %12 : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [?, ?, ?]>) : !t to !f
  return
}
