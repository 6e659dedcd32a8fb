// RUN: stencil-opt %s --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// Where only the run knows how large fields are, what goes around the caches has vectors of its own.

// CHECK-LABEL: func @open
// CHECK: scf.if
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : memref<?x?xf64>, vector<8xf64>
// CHECK: } else {
// CHECK-NOT: vector<8xf64>
// CHECK: vector.store {{.*}} : memref<?x?xf64>, vector<4xf64>
// CHECK-NOT: vector<8xf64>
// CHECK: return
!w = !stencil.field<[-1,?+1]x[0,?]xf64>
func.func @open(%u: !w, %v: !w) {
  stencil.apply(%x = %u : !w) outs (%v : !w) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, around = 65536, around_row = 64, around_lanes = 8>} {
    %0 = stencil.access %x[-1, 0] : !w
    %1 = stencil.access %x[1, 0] : !w
    %a = arith.addf %0, %1 : f64
    stencil.return %a : f64
  } to <[0, 0], [?, ?]>
  return
}

// -----

// With known ones there is one form.

// CHECK-LABEL: func @large
// CHECK-NOT: vector<4xf64>
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : memref<66x512xf64>, vector<8xf64>
// CHECK-LABEL: func @small
// CHECK-NOT: vector<8xf64>
// CHECK: vector.store {{.*}} : memref<10x512xf64>, vector<4xf64>
!large = !stencil.field<[-1,65]x[0,512]xf64>
!small = !stencil.field<[-1,9]x[0,512]xf64>
func.func @large(%u: !large, %v: !large) {
  stencil.apply(%x = %u : !large) outs (%v : !large) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, around = 131072, around_row = 64, around_lanes = 8>} {
    %0 = stencil.access %x[-1, 0] : !large
    stencil.return %0 : f64
  } to <[0, 0], [64, 512]>
  return
}
func.func @small(%u: !small, %v: !small) {
  stencil.apply(%x = %u : !small) outs (%v : !small) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, around = 131072, around_row = 64, around_lanes = 8>} {
    %0 = stencil.access %x[-1, 0] : !small
    stencil.return %0 : f64
  } to <[0, 0], [8, 512]>
  return
}
