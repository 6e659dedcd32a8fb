// Fields whose rows may have gaps behind them: memrefs with strides, and vectors that are aligned by these, not by the length of a row.
// RUN: stencil-opt %s --stencil-shape-loops="vector-bits=512 cache-bytes=1 stream-row=0" --convert-stencil-to-cpu=padded-rows --canonicalize --cse | FileCheck %s
// RUN: stencil-opt %s --stencil-to-cpu="padded-rows vector-bits=512" | FileCheck %s --check-prefix=LLVM

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!line = !stencil.field<[-1,65]xf64>

// CHECK-LABEL: func.func @star
// CHECK-SAME: %[[U:.*]]: memref<?x?xf64, strided<[?, 1]>>, %[[V:.*]]: memref<?x?xf64, strided<[?, 1]>>, %{{.*}}: memref<66xf64>)
// CHECK: vector.store %{{.*}}, %[[V]][{{.*}}] : memref<?x?xf64, strided<[?, 1]>>
// LLVM-LABEL: llvm.func @star
func.func @star(%u: !field, %v: !field, %line: !line) {
  stencil.apply(%x = %u : !field, %c = %line : !line) outs (%v : !field) {
    %a = stencil.access %x[-1, 0] : !field
    %b = stencil.access %x[0, 1] : !field
    %l = stencil.access %c[_, 0] : !line
    %s = arith.addf %a, %b : f64
    %r = arith.mulf %s, %l : f64
    stencil.return %r : f64
  } to <[0, 0], [?, 64]>
  return
}

// What goes around the caches is aligned.
// CHECK-LABEL: func.func @copy
// CHECK-SAME: %{{.*}}: memref<{{.*}}>, %[[V:.*]]: memref<?x?xf64, strided<[?, 1]>>)
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[V]]
// CHECK: arith.muli %{{.*}}, %[[STRIDES]]#0
// CHECK: vector.store %{{.*}}, %[[V]][{{.*}}] {alignment = 64 : i64, nontemporal = true}
func.func @copy(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [?, ?]>
  return
}

// Memory of the function's own has no gaps.
// CHECK-LABEL: func.func @own
// CHECK: %[[OWN:.*]] = memref.alloc(%{{.*}}, %{{.*}}) {alignment = 64 : i64} : memref<?x?xf64>
// CHECK: vector.load %arg0[{{.*}}] : memref<?x?xf64, strided<[?, 1]>>
// CHECK: vector.store %{{.*}}, %[[OWN]][{{.*}}] : memref<?x?xf64>
// CHECK: memref.dealloc %[[OWN]]
func.func @own(%u: !field) {
  %w = stencil.alloc : !field
  stencil.apply(%x = %u : !field) outs (%w : !field) {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [?, ?]>
  return
}
