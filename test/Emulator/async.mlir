// Asynchronous copies in groups; what has not been waited for has no value.
// UNSUPPORTED: asan
// RUN: stencil-opt %s --gpu-to-emulator=chip=sm_90 -o %t
// RUN: mlir-runner %t -e waits -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s
// RUN: not mlir-runner %t -e early -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --check-prefix=EARLY

#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @waits(%v: memref<128xf32>) workgroup(%tile: memref<128xf32, #shared>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c4 : index
      %j = arith.addi %i, %c64 : index
      // The second half: one element of four, and zeros.
      %a = nvgpu.device_async_copy %v[%i], %tile[%i], 4 : memref<128xf32> to memref<128xf32, #shared>
      %ga = nvgpu.device_async_create_group %a
      %b = nvgpu.device_async_copy %v[%j], %tile[%j], 4, %c1 : memref<128xf32> to memref<128xf32, #shared>
      %gb = nvgpu.device_async_create_group %b
      nvgpu.device_async_wait %ga {numGroups = 1 : i32}
      %first = memref.load %tile[%i] : memref<128xf32, #shared>
      nvgpu.device_async_wait %gb
      gpu.barrier
      // Each thread takes the next one's values.
      %n = arith.addi %t, %c1 : index
      %next = arith.remui %n, %c16 : index
      %k = arith.muli %next, %c4 : index
      %l = arith.addi %k, %c64 : index
      %x = vector.load %tile[%k] : memref<128xf32, #shared>, vector<4xf32>
      %y = vector.load %tile[%l] : memref<128xf32, #shared>, vector<4xf32>
      vector.store %x, %v[%i] : memref<128xf32>, vector<4xf32>
      vector.store %y, %v[%j] : memref<128xf32>, vector<4xf32>
      gpu.return
    }
    gpu.func @early(%v: memref<128xf32>) workgroup(%tile: memref<128xf32, #shared>) kernel {
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c4 : index
      %a = nvgpu.device_async_copy %v[%i], %tile[%i], 4 : memref<128xf32> to memref<128xf32, #shared>
      %ga = nvgpu.device_async_create_group %a
      nvgpu.device_async_wait %ga {numGroups = 1 : i32}
      // EARLY: error: emulator: race on shared memory: read of 4 bytes, in kernel early, {{.*}} at async.mlir:[[#@LINE+1]]:{{.*}} an asynchronous copy, at async.mlir:[[#@LINE-3]]:{{.*}}, which has not been waited for
      %x = memref.load %tile[%i] : memref<128xf32, #shared>
      memref.store %x, %v[%i] : memref<128xf32>
      gpu.return
    }
  }
  func.func private @stencilSelectBackend(i32)
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @prepare() -> memref<128xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %v = gpu.alloc host_shared () : memref<128xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %v[%i] : memref<128xf32>
    }
    return %v : memref<128xf32>
  }
  func.func @waits() {
    %n = arith.constant 1 : index
    %t = arith.constant 16 : index
    %v = call @prepare() : () -> memref<128xf32>
    gpu.launch_func @kernels::@waits blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<128xf32>)
    %all = memref.cast %v : memref<128xf32> to memref<*xf32>
    // CHECK: [4,  5,  6,  7,  8, {{.*}},  0,  1,  2,  3,  68,  0,  0,  0,  72,  0,  0,  0,
    call @printMemrefF32(%all) : (memref<*xf32>) -> ()
    return
  }
  func.func @early() {
    %n = arith.constant 1 : index
    %t = arith.constant 16 : index
    %v = call @prepare() : () -> memref<128xf32>
    gpu.launch_func @kernels::@early blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<128xf32>)
    return
  }
}
