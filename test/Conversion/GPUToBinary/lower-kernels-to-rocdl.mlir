// RUN: stencil-opt %s --pass-pipeline='builtin.module(gpu.module(stencil-lower-kernels-to-rocdl))' | FileCheck %s

// Each for the chip of its target, with bare pointers.
// CHECK-LABEL: gpu.module @old
gpu.module @old [#rocdl.target<chip = "gfx942">] {
  // CHECK: llvm.func @k(%{{.*}}: !llvm.ptr) attributes {{{.*}}rocdl.kernel
  // CHECK: rocdl.s.barrier{{$}}
  gpu.func @k(%u: memref<8xf64>) kernel {
    amdgpu.lds_barrier
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @new
gpu.module @new [#rocdl.target<chip = "gfx1200">] {
  // CHECK: llvm.func @k()
  // CHECK: rocdl.s.barrier.signal
  // CHECK-NEXT: rocdl.s.barrier.wait
  gpu.func @k() kernel {
    amdgpu.lds_barrier
    gpu.return
  }
}
