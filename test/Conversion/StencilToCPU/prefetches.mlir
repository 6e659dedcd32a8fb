// RUN: stencil-opt %s --stencil-shape-loops="prefetch-bytes=2048 rows=1 columns=4 threads=1 core-cache-bytes=0" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s --stencil-shape-loops="rows=1 columns=4 threads=1 core-cache-bytes=0" --convert-stencil-to-cpu --canonicalize --cse | FileCheck %s --check-prefix=OFF

// Four vectors of four points are two lines of each field: of the input where
// a walk along the planes meets it first, at [1, 0], and of the output. 2 KiB
// are 256 points.

// OFF-NOT: memref.prefetch

// CHECK-LABEL: func @star
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %{{.*}} step %c16
// CHECK: %[[FIRST:.*]] = arith.addi %[[X]], %c257
// CHECK: memref.prefetch %arg0[%[[Z:.*]], %[[Y:.*]], %[[FIRST]]], read, locality<3>, data
// CHECK: %[[SECOND:.*]] = arith.addi %[[X]], %c265
// CHECK: memref.prefetch %arg0[%[[Z]], %[[Y]], %[[SECOND]]], read, locality<3>, data
// CHECK: memref.prefetch %arg1[{{.*}}], write, locality<3>, data
// CHECK: memref.prefetch %arg1[{{.*}}], write, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: return
!u = !stencil.field<[-1,65]x[-1,65]x[-1,513]xf64>
!v = !stencil.field<[0,64]x[0,64]x[0,512]xf64>
func.func @star(%u: !u, %v: !v) {
  stencil.apply(%x = %u : !u) outs (%v : !v) {
    %0 = stencil.access %x[-1, 0, 0] : !u
    %1 = stencil.access %x[1, 0, 0] : !u
    %2 = stencil.access %x[0, 1, 0] : !u
    %3 = stencil.access %x[0, 0, 1] : !u
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    %c = arith.addf %b, %3 : f64
    stencil.return %c : f64
  } to <[0, 0, 0], [64, 64, 512]>
  return
}
