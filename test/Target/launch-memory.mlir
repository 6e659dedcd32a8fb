// The arguments of launches in a loop take no more memory with every step, the
// 128 bytes of a tensor map least of all; the launch gets its dynamic memory.
// RUN: stencil-translate %s --to-llvmir --target cuda --chip sm_90 -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}steps(
// CHECK: alloca {{.*}}, align
// CHECK: br label
// CHECK-NOT: alloca
// CHECK: call void @mgpuTensorMapEncodeTiled(
// CHECK-NOT: alloca
// CHECK: call void @mgpuLaunchKernel(ptr %{{.*}}, i64 4, i64 1, i64 1, i64 32, i64 1, i64 1, i32 232320, ptr %{{[^,]*}}, ptr {{.*}}, ptr null, i64 3)
// CHECK: ret void

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%map: !map, %v: memref<256xf64>, %step: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %bar = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #shared>
      nvgpu.mbarrier.init %bar[%step], %step : !nvgpu.mbarrier.group<memorySpace = #shared>
      nvgpu.tma.prefetch.descriptor %map : !map
      gpu.return
    }
  }
  func.func @steps(%a: memref<256xf64>, %n: index, %stream: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    // What an H200 has, less the 128 bytes that the mbarrier takes.
    %bytes = arith.constant 232320 : i32
    scf.for %i = %c0 to %n step %c1 {
      %view = memref.reinterpret_cast %a to offset: [0], sizes: [16, 16], strides: [16, 1] : memref<256xf64> to memref<16x16xf64>
      %any = memref.cast %view : memref<16x16xf64> to memref<*xf64>
      %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
      gpu.launch_func <%stream : !llvm.ptr> @kernels::@k blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1)
          dynamic_shared_memory_size %bytes args(%map : !map, %a : memref<256xf64>, %i : index)
    }
    return
  }
}
