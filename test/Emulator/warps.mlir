// Barriers, shared memory, shuffles, reductions and atomics in warps of both
// sizes. A reduction gives the same sum in any order of the threads.
// UNSUPPORTED: asan
// RUN: stencil-opt %s --gpu-to-emulator=warp-size=32 -o %t.32
// RUN: stencil-opt %s --gpu-to-emulator=warp-size=64 -o %t.64
// RUN: mlir-runner %t.32 -e main -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s --check-prefixes=CHECK,W32
// RUN: env STENCIL_EMULATOR_SEED=12345 mlir-runner %t.64 -e main -entry-point-result=void \
// RUN:   --shared-libs=%stencil_runtime --shared-libs=%llvm_lib/libmlir_runner_utils.so \
// RUN: | FileCheck %s --check-prefixes=CHECK,W64
// RUN: env STENCIL_EMULATOR_SEED=x not mlir-runner %t.64 -e main -entry-point-result=void \
// RUN:   --shared-libs=%stencil_runtime --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 \
// RUN: | FileCheck %s --check-prefix=SEED
// SEED: error: {{.*}}STENCIL_EMULATOR_SEED: expected a number, got 'x'

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Reverses the numbers of a block in shared memory.
    gpu.func @reverse(%v: memref<128xi32>)
        workgroup(%tile: memref<128xi32, #gpu.address_space<workgroup>>) kernel {
      %c127 = arith.constant 127 : index
      %t = gpu.thread_id x
      %x = memref.load %v[%t] : memref<128xi32>
      memref.store %x, %tile[%t] : memref<128xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c127, %t : index
      %y = memref.load %tile[%other] : memref<128xi32, #gpu.address_space<workgroup>>
      memref.store %y, %v[%t] : memref<128xi32>
      gpu.return
    }
    // Sums: of a warp, and of the lane above in groups of 4.
    gpu.func @sums(%v: memref<128xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %one = arith.constant 1 : i32
      %four = arith.constant 4 : i32
      %t = gpu.thread_id x
      %x = arith.index_cast %t : index to i32
      %warp = gpu.subgroup_reduce add %x : (i32) -> i32
      %above, %valid = gpu.shuffle down %x, %one, %four : i32
      %kept = arith.select %valid, %above, %one : i32
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        memref.store %warp, %v[%c0] : memref<128xi32>
      }
      %old = memref.atomic_rmw addi %kept, %v[%c2] : (i32, memref<128xi32>) -> i32
      gpu.return
    }
  }
  func.func private @stencilSelectBackend(i32)
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %v = gpu.alloc host_shared () : memref<128xi32>
    scf.for %i = %c0 to %c128 step %c1 {
      %ii = arith.index_cast %i : index to i32
      memref.store %ii, %v[%i] : memref<128xi32>
    }
    gpu.launch_func @kernels::@reverse
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%v : memref<128xi32>)
    %all = memref.cast %v : memref<128xi32> to memref<*xi32>
    // CHECK: [127,  126,  125, {{.*}},  1,  0]
    call @printMemrefI32(%all) : (memref<*xi32>) -> ()
    %zero = arith.constant 0 : i32
    memref.store %zero, %v[%c2] : memref<128xi32>
    gpu.launch_func @kernels::@sums
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%v : memref<128xi32>)
    // Sums of 0 to 31 and to 63; of all but the multiples of 4, plus 32.
    // W32: [496,  126,  6176,
    // W64: [2016,  126,  6176,
    call @printMemrefI32(%all) : (memref<*xi32>) -> ()
    return
  }
}
