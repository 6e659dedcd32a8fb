// What a kernel must not do ends the program, with thread and location.
// UNSUPPORTED: asan
// RUN: stencil-opt %s --gpu-to-emulator=chip=sm_90 -o %t
// RUN: not mlir-runner %t -e bounds -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=BOUNDS
// RUN: not mlir-runner %t -e called -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=CALLED
// RUN: not mlir-runner %t -e tile_bounds -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=TILE
// RUN: not mlir-runner %t -e no_barrier -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=RACE
// RUN: not mlir-runner %t -e blocks -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=BLOCKS
// RUN: not mlir-runner %t -e divergent -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=DIVERGENT
// RUN: not mlir-runner %t -e finished -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=FINISHED
// RUN: not mlir-runner %t -e uninitialised -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=UNINITIALISED
// RUN: not mlir-runner %t -e misaligned -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=MISALIGNED
// RUN: not mlir-runner %t -e lanes -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=LANES
// RUN: not mlir-runner %t -e threads -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=THREADS
// RUN: not mlir-runner %t -e dynamic -entry-point-result=void --shared-libs=%stencil_runtime 2>&1 \
// RUN: | FileCheck %s --check-prefix=SHARED

#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @bounds(%v: memref<64xf32>) kernel {
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %next = arith.addi %t, %c1 : index
      // BOUNDS: error: emulator: out-of-bounds read of 4 bytes of global memory, 0 bytes behind an
      // BOUNDS-SAME: allocation of 256 bytes, in kernel bounds, block (0, 0, 0), thread (63, 0, 0), at faults.mlir:[[#@LINE+1]]:
      %x = memref.load %v[%next] : memref<64xf32>
      gpu.barrier
      memref.store %x, %v[%t] : memref<64xf32>
      gpu.return
    }

    // Functions that kernels call are looked at, too.
    func.func @next(%v: memref<64xf32>, %t: index) -> f32 {
      %c1 = arith.constant 1 : index
      %next = arith.addi %t, %c1 : index
      // CALLED: error: emulator: out-of-bounds read of 4 bytes of global memory, {{.*}} in kernel called, block (0, 0, 0), thread (63, 0, 0), at faults.mlir:[[#@LINE+1]]:
      %x = memref.load %v[%next] : memref<64xf32>
      return %x : f32
    }
    gpu.func @called(%v: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %x = func.call @next(%v, %t) : (memref<64xf32>, index) -> f32
      gpu.barrier
      memref.store %x, %v[%t] : memref<64xf32>
      gpu.return
    }

    gpu.func @tile_bounds(%v: memref<64xf32>) workgroup(%a: memref<32xf32, #shared>, %b: memref<64xf32, #shared>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %v[%t] : memref<64xf32>
      // TILE: error: emulator: out-of-bounds write of 4 bytes of shared memory, at byte {{[0-9]*}} of an array of 128 bytes
      memref.store %x, %a[%t] : memref<32xf32, #shared>
      memref.store %x, %b[%t] : memref<64xf32, #shared>
      gpu.return
    }

    gpu.func @no_barrier(%v: memref<64xf32>) workgroup(%a: memref<64xf32, #shared>) kernel {
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %other = arith.subi %c63, %t : index
      %x = memref.load %v[%t] : memref<64xf32>
      memref.store %x, %a[%t] : memref<64xf32, #shared>
      gpu.barrier
      %y = memref.load %a[%other] : memref<64xf32, #shared>
      // Here a barrier is missing.
      // RACE: error: emulator: race on shared memory: {{.*}} in kernel no_barrier, {{.*}} at faults.mlir:[[#@LINE-2]]:{{.*}}; with an access by block (0, 0, 0), thread {{.*}}, at faults.mlir:[[#@LINE+1]]:
      memref.store %y, %a[%t] : memref<64xf32, #shared>
      gpu.return
    }

    gpu.func @blocks(%v: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %x = arith.constant 1.0 : f32
      // BLOCKS: error: emulator: race on global memory: write of 4 bytes, in kernel blocks, block ([[B:[01]]], 0, 0){{.*}}; with an access by block ({{[01]}}, 0, 0)
      memref.store %x, %v[%t] : memref<64xf32>
      gpu.return
    }

    gpu.func @divergent(%v: memref<64xf32>) kernel {
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {
        gpu.barrier
      } else {
        gpu.barrier
      }
      // DIVERGENT: error: emulator: divergent barrier, in kernel divergent, {{.*}} at faults.mlir:{{.*}}; thread {{.*}} waits at the barrier at faults.mlir:
      gpu.return
    }

    gpu.func @finished(%v: memref<64xf32>) kernel {
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {
        // FINISHED: error: emulator: threads wait for ever, in kernel finished, block (0, 0, 0): thread (0, 0, 0) waits for the block's barrier at faults.mlir:[[#@LINE+1]]:9, but thread (32, 0, 0) has finished
        gpu.barrier
      }
      gpu.return
    }

    gpu.func @uninitialised(%v: memref<64xf32>) workgroup(%a: memref<64xf32, #shared>) kernel {
      %t = gpu.thread_id x
      // UNINITIALISED: error: emulator: read of 4 bytes of shared memory that has no value yet, in kernel uninitialised
      %x = memref.load %a[%t] : memref<64xf32, #shared>
      memref.store %x, %v[%t] : memref<64xf32>
      gpu.return
    }

    gpu.func @misaligned(%v: memref<64xf32>) kernel {
      %c1 = arith.constant 1 : index
      // MISALIGNED: error: emulator: misaligned read of 16 bytes: the address is no multiple of 16 bytes
      %x = vector.load %v[%c1] {alignment = 16} : memref<64xf32>, vector<4xf32>
      vector.store %x, %v[%c1] : memref<64xf32>, vector<4xf32>
      gpu.return
    }

    gpu.func @lanes(%v: memref<64xf32>) kernel {
      %c7 = arith.constant 7 : index
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %t = gpu.thread_id x
      %x = memref.load %v[%t] : memref<64xf32>
      %late = arith.cmpi ne, %t, %c7 : index
      scf.if %late {
        // LANES: error: emulator: threads wait for ever, in kernel lanes, {{.*}} thread (0, 0, 0) waits for shuffle at faults.mlir:[[#@LINE+1]]:{{.*}}, but thread (7, 0, 0) has finished
        %y, %valid = gpu.shuffle xor %x, %one, %width : f32
        memref.store %y, %v[%t] : memref<64xf32>
      }
      gpu.return
    }
  }

  func.func private @stencilSelectBackend(i32)
  // 64 numbers.
  func.func private @prepare() -> memref<64xf32> {
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %v = gpu.alloc host_shared () : memref<64xf32>
    return %v : memref<64xf32>
  }
  func.func @bounds() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@bounds blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @tile_bounds() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@tile_bounds blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @no_barrier() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@no_barrier blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @blocks() {
    %n = arith.constant 1 : index
    %b = arith.constant 2 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@blocks blocks in (%b, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @called() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@called blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @divergent() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@divergent blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @finished() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@finished blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @uninitialised() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@uninitialised blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @misaligned() {
    %n = arith.constant 1 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@misaligned blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @lanes() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<64xf32>
    gpu.launch_func @kernels::@lanes blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  // Limits of the chip.
  func.func @threads() {
    %n = arith.constant 1 : index
    %t = arith.constant 1025 : index
    %v = call @prepare() : () -> memref<64xf32>
    // THREADS: error: {{.*}}1025{{.*}}
    gpu.launch_func @kernels::@bounds blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<64xf32>)
    return
  }
  func.func @dynamic() {
    %n = arith.constant 1 : index
    %bytes = arith.constant 240000 : i32
    %v = call @prepare() : () -> memref<64xf32>
    // SHARED: error: emulator: launch of kernel tile_bounds: expected at most 232448 bytes of shared memory, got 240384
    gpu.launch_func @kernels::@tile_bounds blocks in (%n, %n, %n) threads in (%n, %n, %n)
        dynamic_shared_memory_size %bytes args(%v : memref<64xf32>)
    return
  }
}
