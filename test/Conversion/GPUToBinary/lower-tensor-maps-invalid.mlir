// RUN: stencil-opt %s --stencil-lower-tensor-maps --split-input-file --verify-diagnostics

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @f(%u: memref<16x16xf64>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %any = memref.cast %u : memref<16x16xf64> to memref<*xf64>
  // expected-error @+1 {{expected the box of the descriptor's type, 4 x 8, got 8 x 4}}
  %map = nvgpu.tma.create.descriptor %any box[%c8, %c4] : memref<*xf64> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @f(%u: memref<16x16x16xf64>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %any = memref.cast %u : memref<16x16x16xf64> to memref<*xf64>
  // expected-error @+1 {{expected a tensor of 1 to 5 axes, as many as the box has, got 3 and 2}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @f(%u: memref<16x16xf32>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %any = memref.cast %u : memref<16x16xf32> to memref<*xf32>
  // expected-error @+1 {{expected elements of f16, bf16, f32, f64, i8, i16, i32 or i64 in tensor and box, got 'f32' and 'f64'}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf32> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xi1, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @f(%u: memref<16x16xi1>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %any = memref.cast %u : memref<16x16xi1> to memref<*xi1>
  // expected-error @+1 {{got 'i1' and 'i1'}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xi1> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x3xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @f(%u: memref<16x16xf64>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %any = memref.cast %u : memref<16x16xf64> to memref<*xf64>
  // expected-error @+1 {{expected rows of the box of a multiple of 16 bytes, got 24}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %c3] : memref<*xf64> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @f(%u: memref<16x17xf64>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %any = memref.cast %u : memref<16x17xf64> to memref<*xf64>
  // expected-error @+1 {{expected strides that are multiples of 16 bytes, got 136}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @f(%u: memref<16x16xf64, strided<[64, 2]>>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %any = memref.cast %u : memref<16x16xf64, strided<[64, 2]>> to memref<*xf64>
  // expected-error @+1 {{expected a tensor with rows without gaps, got 'memref<16x16xf64, strided<[64, 2]>>'}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @sizes(%u: memref<16x16xf64>, %n: index) {
  %c4 = arith.constant 4 : index
  %any = memref.cast %u : memref<16x16xf64> to memref<*xf64>
  // expected-error @+1 {{expected a box of constant sizes}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %n] : memref<*xf64> -> !map
  return
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @unranked(%u: memref<*xf64>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{expected a memref.cast of a memref of known rank}}
  %map = nvgpu.tma.create.descriptor %u box[%c4, %c8] : memref<*xf64> -> !map
  return
}

// -----

// What only upstream's lowering could serve: it puts descriptors into device memory.
#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @pointer(%u: memref<16x16xf64>) -> !llvm.ptr {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %any = memref.cast %u : memref<16x16xf64> to memref<*xf64>
  // expected-error @+1 {{expected the descriptor to be an operand of launches only}}
  %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
  // expected-note @+1 {{here it is used otherwise}}
  %p = builtin.unrealized_conversion_cast %map : !map to !llvm.ptr
  return %p : !llvm.ptr
}

// -----

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%map: !map) kernel {
      gpu.return
    }
  }
  func.func @argument(%map: !map) {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{expected the result of nvgpu.tma.create.descriptor as operand, got another value of '!nvgpu.tensormap.descriptor<}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !map)
    return
  }
}
