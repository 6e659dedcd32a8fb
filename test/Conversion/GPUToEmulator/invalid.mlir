// RUN: stencil-opt %s --convert-gpu-to-emulator --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --convert-gpu-to-emulator=warp-size=16 --split-input-file 2>&1 | FileCheck %s --check-prefix=WARP
// WARP: error: expected a warp-size of 32 or 64, got 16

gpu.module @kernels {
  // expected-error@below {{expected a memref argument of static shape and without a layout, got 'memref<?xf64>'}}
  gpu.func @dynamic(%u: memref<?xf64>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @print() kernel {
    // expected-error@below {{expected an op that the emulator knows}}
    gpu.printf "hello"
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @assembly() kernel {
    // expected-error@below {{expected PTX that the emulator knows}}
    llvm.inline_asm has_side_effects "nanosleep.u32 1;", "" : () -> ()
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@below {{expected a kernel, a func.func or memory in a gpu.module: the emulator knows no other}}
  gpu.func @helper() {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@below {{expected no other symbol 'kernels.k' in the program}}
  gpu.func @k() kernel {
    gpu.return
  }
}
func.func private @kernels.k()

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @clusters(%n: index) {
    // expected-error@below {{expected no cluster of blocks: the emulator has none}}
    gpu.launch_func @kernels::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
