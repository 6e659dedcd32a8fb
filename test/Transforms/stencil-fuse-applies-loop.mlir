// What is computed once before a loop is fused into an apply of the loop only if that is asked for.
// RUN: stencil-opt %s --stencil-fuse-applies --remarks-filter=Fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stencil-opt %s --stencil-fuse-applies='force=sum automatic=false' -o %t.fused.mlir && FileCheck %s --input-file=%t.fused.mlir
// REMARK: 'sum' is not fused into 'step': it is not evaluated as often as its consumer

// Both forms are the same program, although the loop stores to a field that the sum was loaded from.
// DEFINE: %{run} = stencil-run --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=random:4 --arg 4=3
// RUN: %{run} %s --target interpreter --out 0=%t.a.npy --out 1=%t.b.npy
// RUN: %{run} %t.fused.mlir --target cpu --math strict --out 0=%t.c.npy --out 1=%t.d.npy && cmp %t.a.npy %t.c.npy && cmp %t.b.npy %t.d.npy
// RUN: %{run} %t.fused.mlir --target emulator --chip sm_90 --math strict --out 0=%t.c.npy --out 1=%t.d.npy && cmp %t.a.npy %t.c.npy && cmp %t.b.npy %t.d.npy

// CHECK-NOT: stencil.apply
// CHECK: scf.for
// CHECK: stencil.apply({{.*}} : !stencil.temp<?x?xf32>, {{.*}} : !stencil.temp<?xf32>, {{.*}} : !stencil.temp<?xf32>) -> (!stencil.temp<?x?xf32>) attributes {stencil.name = "step"}
// CHECK: stencil.access %{{.*}}[1, _]
// CHECK: stencil.access %{{.*}}[_, 0]
!line = !stencil.field<[0,8]xf32>
!t1 = !stencil.temp<?xf32>
!field = !stencil.field<[-1,9]x[-1,9]xf32>
!t2 = !stencil.temp<?x?xf32>
func.func @f(%a: !field, %b: !field, %l: !line, %m: !line, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %tl = stencil.load %l : !line -> !t1
  %tm = stencil.load %m : !line -> !t1
  %sum = stencil.apply(%p = %tl : !t1, %q = %tm : !t1) -> (!t2) attributes {stencil.name = "sum"} {
    %y = stencil.access %p[0, _] : !t1
    %x = stencil.access %q[_, 0] : !t1
    %s = arith.addf %y, %x : f32
    stencil.return %s : f32
  }
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !t2
    %w = stencil.apply(%p = %t : !t2, %e = %sum : !t2) -> (!t2) attributes {stencil.name = "step"} {
      %c = stencil.access %p[0, 0] : !t2
      %d = stencil.access %p[0, 1] : !t2
      %e0 = stencil.access %e[1, 0] : !t2
      %e1 = stencil.access %e[-1, 0] : !t2
      %e2 = stencil.access %e[0, 1] : !t2
      %g = arith.subf %e0, %e1 : f32
      %h = arith.addf %c, %d : f32
      %k = arith.mulf %h, %g : f32
      %o = arith.addf %k, %e2 : f32
      stencil.return %o : f32
    }
    stencil.store %w to %v(<[1, 1], [7, 7]>) : !t2 to !field
    %row = stencil.apply(%p = %tm : !t1) -> (!t1) {
      %c = stencil.access %p[0] : !t1
      %h = arith.addf %c, %c : f32
      stencil.return %h : f32
    }
    stencil.store %row to %l(<[0], [8]>) : !t1 to !line
    scf.yield %v, %u : !field, !field
  }
  return
}
