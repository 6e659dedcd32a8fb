// RUN: stencil-opt %s --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// Without loops that are chosen: point by point, on one thread.

// CHECK-LABEL: func @plain
// CHECK-NOT: scf.parallel
// CHECK-NOT: vector.
// CHECK-NOT: memref.prefetch
// CHECK: return
!u = !stencil.field<[-1,4097]x[-1,4097]xf64>
func.func @plain(%u: !u, %v: !u) -> f64 {
  stencil.boundary %u(<[0, 0], [4096, 4096]>) [#stencil.neumann, #stencil.neumann] : !u
  stencil.apply(%x = %u : !u) outs (%v : !u) {
    %0 = stencil.access %x[0, 1] : !u
    stencil.return %0 : f64
  } to <[0, 0], [4096, 4096]>
  %s = stencil.fold %v(<[0, 0], [4096, 4096]>) sum : !u
  return %s : f64
}

// -----

// A pipeline keeps what a stage makes of its whole box.

// CHECK-LABEL: func @plain_pipeline
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<72xf64>
// CHECK-NOT: vector.
// CHECK: return
!r = !stencil.field<[-2,66]xf64>
!s = !stencil.temp<?xf64>
func.func @plain_pipeline(%u: !r, %v: !r) {
  stencil.pipeline {
    %x = stencil.load %u : !r -> !s
    %a = stencil.apply(%p = %x : !s) -> (!s) {
      %0 = stencil.access %p[0] : !s
      stencil.return %0 : f64
    }
    %b = stencil.window shared %a : !s
    %c = stencil.apply(%p = %b : !s) -> (!s) {
      %0 = stencil.access %p[1] : !s
      stencil.return %0 : f64
    }
    stencil.store %c to %v(<[0], [64]>) : !s to !r
  }
  return
}

// -----

// What an op says is done, whatever a pass would choose.

// CHECK-LABEL: func @asked
// CHECK: scf.parallel {{.*}} step (%c5, %c7)
// CHECK: scf.for {{.*}} step %c3
// CHECK: vector.store {{.*}} vector<2xf64>
!w = !stencil.field<[0,40]x[0,40]xf64>
func.func @asked(%u: !w, %v: !w) {
  stencil.apply(%x = %u : !w) outs (%v : !w) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 2, rows = 3, threads = 2, tile = [5, 7]>} {
    %0 = stencil.access %x[0, 0] : !w
    stencil.return %0 : f64
  } to <[0, 0], [40, 40]>
  return
}
