// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>

// A thread computes three points and writes them one by one; 96 points of a block are 48 vectors, which 32 threads store. The box ends between vectors.
// CHECK-LABEL: gpu.func @row
// CHECK: gpu.barrier
// CHECK-COUNT-3: memref.store %{{.*}} : memref<{{.*}}#gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: arith.cmpi sle, %{{.*}}, %c1000_i32
// CHECK-NEXT: scf.if
// CHECK: %[[A:.*]] = vector.load {{.*}}{alignment = 16 {{.*}}#gpu.address_space<workgroup>>, vector<2xf64>
// CHECK-NEXT: vector.store %[[A]], {{.*}}alignment = 16
// CHECK: arith.cmpi slt, %{{.*}}, %c48_i32
// CHECK-NEXT: scf.if
// CHECK: vector.store
// CHECK-NOT: store
// CHECK: gpu.return
func.func @row(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %s : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      %h = stencil.access %a[1] : !temp
      %sum = arith.addf %l, %h : f64
      stencil.return %sum : f64
    }
    %w = stencil.window shared %r : !temp
    stencil.store %w to %v(<[0], [1000]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>

// Of a vector that lies half in the box, points are stored one by one.
// CHECK-LABEL: gpu.func @odd_end
// CHECK: vector.store
// CHECK: } else {
// CHECK: scf.if
// CHECK: memref.store %{{.*}} : memref<1040xf64>
// CHECK: scf.if
// CHECK: memref.store %{{.*}} : memref<1040xf64>
// CHECK: gpu.return
func.func @odd_end(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    %w = stencil.window shared %r : !temp
    stencil.store %w to %v(<[0], [999]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>

// Another thread may be about to read the point: each stores its own.
// CHECK-LABEL: gpu.func @in_place
// CHECK: gpu.barrier
// CHECK-NOT: vector.store
// CHECK: gpu.return
func.func @in_place(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %x = stencil.load %u : !field -> !temp
    %r:2 = stencil.apply(%a = %x : !temp) -> (!temp, !temp) {
      %l = stencil.access %a[0] : !temp
      %h = arith.mulf %l, %l : f64
      stencil.return %l, %h : f64, f64
    }
    %w = stencil.window shared %r#1 : !temp
    stencil.store %w to %u(<[0], [1000]>) : !temp to !field
    stencil.store %r#0 to %v(<[0], [1000]>) : !temp to !field
  }
  return
}
