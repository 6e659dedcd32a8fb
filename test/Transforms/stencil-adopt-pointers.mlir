// RUN: stencil-opt %s --stencil-adopt-pointers --split-input-file | FileCheck %s

!struct = !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>

// The strides that PSyclone gives are not read: the type is row-major.
// CHECK-LABEL: func @array(
// CHECK-SAME: %[[M:.*]]: memref<4x6xf64>, %[[I:.*]]: index, %[[P:.*]]: !llvm.ptr)
func.func @array(%p: !llvm.ptr, %i: index, %q: !llvm.ptr) -> f64 {
  // CHECK-NOT: llvm
  // CHECK: memref.load %[[M]]
  // CHECK: llvm.load %[[P]]
  %c4 = arith.constant 4 : i64
  %c1 = arith.constant 1 : i64
  %0 = llvm.mlir.undef : !struct
  %1 = llvm.insertvalue %p, %0[0] : !struct
  %2 = llvm.insertvalue %p, %1[1] : !struct
  %3 = llvm.insertvalue %c4, %2[3, 0] : !struct
  %4 = llvm.insertvalue %c1, %3[4, 0] : !struct
  %unused = llvm.insertvalue %p, %0[0] : !struct
  %m = builtin.unrealized_conversion_cast %4 : !struct to memref<4x6xf64>
  %v = memref.load %m[%i, %i] : memref<4x6xf64>
  %w = llvm.load %q : !llvm.ptr -> f64
  %s = arith.addf %v, %w : f64
  return %s : f64
}

// -----

!struct = !llvm.struct<(ptr, ptr, i64)>

// Another pointer to the elements; a dynamic size; two types; another use.
// CHECK-LABEL: func @others(
// CHECK-SAME: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) {
func.func @others(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %d: !llvm.ptr) {
  %0 = llvm.mlir.undef : !struct
  %1 = llvm.insertvalue %a, %0[0] : !struct
  %2 = llvm.insertvalue %b, %1[1] : !struct
  %3 = builtin.unrealized_conversion_cast %2 : !struct to memref<f64>
  %4 = llvm.insertvalue %c, %0[1] : !struct
  %5 = builtin.unrealized_conversion_cast %4 : !struct to memref<f64>
  %6 = builtin.unrealized_conversion_cast %4 : !struct to memref<f32>
  %7 = llvm.insertvalue %d, %0[1] : !struct
  %8 = builtin.unrealized_conversion_cast %7 : !struct to memref<f64>
  %v = llvm.load %d : !llvm.ptr -> f64
  %x = llvm.load %b : !llvm.ptr -> f64
  memref.store %v, %3[] : memref<f64>
  memref.store %x, %8[] : memref<f64>
  memref.store %v, %5[] : memref<f64>
  %y = memref.load %6[] : memref<f32>
  return
}

// -----

!struct = !llvm.struct<(ptr, ptr, i64)>

// Callers have a pointer.
// CHECK-LABEL: func private @callee(%{{.*}}: !llvm.ptr)
func.func private @callee(%p: !llvm.ptr) -> f64 {
  %0 = llvm.mlir.undef : !struct
  %1 = llvm.insertvalue %p, %0[1] : !struct
  %2 = builtin.unrealized_conversion_cast %1 : !struct to memref<f64>
  %3 = memref.load %2[] : memref<f64>
  return %3 : f64
}
func.func @caller(%p: !llvm.ptr) -> f64 {
  %0 = call @callee(%p) : (!llvm.ptr) -> f64
  return %0 : f64
}
