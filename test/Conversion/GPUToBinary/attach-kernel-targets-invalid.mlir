// DEFINE: %{chip} =
// DEFINE: %{options} =
// DEFINE: %{check} = not stencil-opt %s --split-input-file -o /dev/null --stencil-attach-target=chip=%{chip} --stencil-attach-kernel-targets="%{options}" 2>&1 | FileCheck %s --check-prefix
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-attach-kernel-targets --split-input-file --verify-diagnostics

// RUN: not stencil-opt %s --split-input-file --stencil-attach-kernel-targets 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected a module with the attribute stencil.target; stencil-attach-target="chip=sm_90" sets it
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{options} = opt-level=4
// RUN: %{check} LEVEL
// LEVEL: error: expected opt-level from 0 to 3, got 4

// REDEFINE: %{chip} = gfx942
// REDEFINE: %{options} =
// RUN: %{check} ASYNC
// ASYNC: error: 'nvgpu.device_async_copy' op expected a GPU with asynchronous copies (cp.async), such as sm_80, got gfx942
// A chip without a description, too.
// REDEFINE: %{chip} = sm_75
// RUN: %{check} OLD
// OLD: error: 'nvgpu.device_async_copy' op expected a GPU with asynchronous copies (cp.async), such as sm_80, got sm_75
gpu.module @kernels {
  gpu.func @async(%u: memref<8xf64>) workgroup(%tile : memref<8xf64, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %t = nvgpu.device_async_copy %u[%c0], %tile[%c0], 1 : memref<8xf64> to memref<8xf64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected at most 1024 threads in a block on sm_80, got 2048 (64 x 32 x 1)}}
  gpu.func @threads() kernel attributes {known_block_size = array<i32: 64, 32, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected at least 1 thread along every axis of a block, got 64 x 0 x 1}}
  gpu.func @none() kernel attributes {known_block_size = array<i32: 64, 0, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected at most 64 threads along z on sm_80, got 128}}
  gpu.func @deep() kernel attributes {known_block_size = array<i32: 1, 1, 128>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected at most 2048 threads on a multiprocessor of sm_80, got 5 blocks of 512}}
  gpu.func @blocks() kernel attributes {known_block_size = array<i32: 512, 1, 1>, nvvm.minctasm = 5 : i32} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected at most 255 registers per thread on sm_80, got 256}}
  gpu.func @registers() kernel attributes {nvvm.maxnreg = 256 : i32} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected at most 49152 bytes of static shared memory on sm_80, got 102400}}
  gpu.func @shared() workgroup(%tile : memref<12800xf64, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  memref.global "private" @tile : memref<7000xf64, #gpu.address_space<workgroup>>
  // expected-error @+1 {{expected at most 49152 bytes of static shared memory on sm_80, got 56000}}
  gpu.func @global() kernel {
    %0 = memref.get_global @tile : memref<7000xf64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @block() {
    %c1 = arith.constant 1 : index
    %c1025 = arith.constant 1025 : index
    // expected-error @+1 {{expected at most 1024 threads in a block on sm_80, got 1025 (1025 x 1 x 1)}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1025, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @grid() {
    %c1 = arith.constant 1 : index
    %c70000 = arith.constant 70000 : index
    // expected-error @+1 {{expected a grid of at most 2147483647 x 65535 x 65535 blocks, got 1 x 70000 x 1}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c70000, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-note @+1 {{the kernel is here}}
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @dynamic() {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 166913 : i32
    // expected-error @+1 {{expected at most 166912 bytes of shared memory per block on sm_80, got 166913}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes
    return
  }
}

// -----

// The memory of the kernel itself and its mbarriers come first, 128 bytes at a
// time.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-note @+1 {{the kernel is here}}
    gpu.func @k() workgroup(%tile : memref<16xf64, #gpu.address_space<workgroup>>) kernel {
      %barriers = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
      gpu.return
    }
  }
  func.func @both() {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 166657 : i32
    // expected-error @+1 {{expected at most 166912 bytes of shared memory per block on sm_80, got 166913 (static 256, dynamic 166657)}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @negative() {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant -1 : i32
    // expected-error @+1 {{expected 0 or more bytes of dynamic shared memory, got -1}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes
    return
  }
}

// -----

gpu.module @kernels {
  gpu.func @tensor() kernel {
    %c0 = arith.constant 0 : index
    %b = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    // expected-error @+1 {{expected a GPU with tensor copies (TMA), such as sm_90, got sm_80}}
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %c0 : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @layouts {
  // expected-error @+1 {{expected a memref argument of static shape and without a layout, got 'memref<4xf32, strided<[2]>>'}}
  gpu.func @strided(%p: memref<4xf32, strided<[2]>>) kernel {
    gpu.return
  }
}
