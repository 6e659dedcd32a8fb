// A block begins with nothing of the one before it: neither copies that nobody has waited for nor values in shared memory.
// UNSUPPORTED: asan
// RUN: stencil-opt %s --gpu-to-emulator=chip=sm_90 -o %t
// RUN: mlir-runner %t -e copies -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s
// RUN: not mlir-runner %t -e values -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --check-prefix=VALUES

#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copies(%v: memref<32xf32>, %out: memref<32xf32>) workgroup(%tile: memref<4xf32, #shared>) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %own = arith.constant 7.0 : f32
      %b = gpu.block_id x
      %i = arith.muli %b, %c4 : index
      memref.store %own, %tile[%c0] : memref<4xf32, #shared>
      %none = nvgpu.device_async_create_group
      nvgpu.device_async_wait %none
      %x = memref.load %tile[%c0] : memref<4xf32, #shared>
      memref.store %x, %out[%i] : memref<32xf32>
      %a = nvgpu.device_async_copy %v[%i], %tile[%c0], 4 : memref<32xf32> to memref<4xf32, #shared>
      %g = nvgpu.device_async_create_group %a
      gpu.return
    }
    gpu.func @values(%v: memref<32xf32>, %out: memref<32xf32>) workgroup(%tile: memref<4xf32, #shared>) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %own = arith.constant 7.0 : f32
      %b = gpu.block_id x
      %i = arith.muli %b, %c4 : index
      %is_first = arith.cmpi eq, %b, %c0 : index
      scf.if %is_first {
        memref.store %own, %tile[%c0] : memref<4xf32, #shared>
      }
      // VALUES: error: emulator: read of 4 bytes of shared memory that has no value yet, in kernel values, {{.*}} at blocks-start-afresh.mlir:[[#@LINE+1]]:
      %x = memref.load %tile[%c0] : memref<4xf32, #shared>
      memref.store %x, %out[%i] : memref<32xf32>
      gpu.return
    }
  }
  func.func private @stencilSelectBackend(i32)
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @prepare() -> (memref<32xf32>, memref<32xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %v = gpu.alloc host_shared () : memref<32xf32>
    %out = gpu.alloc host_shared () : memref<32xf32>
    %f = arith.constant 3.0 : f32
    scf.for %i = %c0 to %c32 step %c1 {
      memref.store %f, %v[%i] : memref<32xf32>
      memref.store %f, %out[%i] : memref<32xf32>
    }
    return %v, %out : memref<32xf32>, memref<32xf32>
  }
  func.func @copies() {
    %n = arith.constant 1 : index
    %blocks = arith.constant 8 : index
    %v, %out = call @prepare() : () -> (memref<32xf32>, memref<32xf32>)
    gpu.launch_func @kernels::@copies blocks in (%blocks, %n, %n) threads in (%n, %n, %n) args(%v : memref<32xf32>, %out : memref<32xf32>)
    %all = memref.cast %out : memref<32xf32> to memref<*xf32>
    // CHECK: [7,  3,  3,  3,  7,  3,  3,  3,  7,  3,  3,  3,  7,  3,  3,  3,  7,  3,  3,  3,  7,  3,  3,  3,  7,  3,  3,  3,  7,  3,  3,  3]
    call @printMemrefF32(%all) : (memref<*xf32>) -> ()
    return
  }
  func.func @values() {
    %n = arith.constant 1 : index
    %blocks = arith.constant 2 : index
    %v, %out = call @prepare() : () -> (memref<32xf32>, memref<32xf32>)
    gpu.launch_func @kernels::@values blocks in (%blocks, %n, %n) threads in (%n, %n, %n) args(%v : memref<32xf32>, %out : memref<32xf32>)
    return
  }
}
