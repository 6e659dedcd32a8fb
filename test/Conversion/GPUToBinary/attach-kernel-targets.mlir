// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-attach-kernel-targets=opt-level=2 | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-attach-kernel-targets | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx1100 --stencil-attach-kernel-targets | FileCheck %s --check-prefix=WAVE32

// NVIDIA: gpu.module @kernels [#nvvm.target<chip = "sm_90", features = "+ptx80">]
// AMD: gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx942", abi = "500">]
// WAVE32: #rocdl.target<O = 3, chip = "gfx1100", abi = "500", flags = {no_wave64}>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Two blocks of 256 threads are 8 waves of 64, two for each SIMD.
    // CHECK: gpu.func @bounded
    // NVIDIA-SAME: nvvm.minctasm = 2
    // AMD-NOT: nvvm
    // AMD-SAME: rocdl.waves_per_eu = 2
    gpu.func @bounded() kernel attributes {known_block_size = array<i32: 32, 8, 1>, nvvm.minctasm = 2 : i32} {
      gpu.return
    }
  }
}
