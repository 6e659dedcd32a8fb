// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --convert-gpu-to-emulator | FileCheck %s
// RUN: stencil-opt %s --gpu-to-emulator="warp-size=32 shared-memory=1000" | FileCheck %s --check-prefix=LLVM

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%u: memref<64xf64>, %n: index, %c: f64)
        workgroup(%tile: memref<8xf64, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id y
      gpu.barrier
      %x = memref.load %u[%t] : memref<64xf64>
      memref.store %x, %tile[%t] : memref<8xf64, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @run(%u: memref<64xf64>, %s: !llvm.ptr) {
    %n = arith.constant 1 : index
    %c = arith.constant 1.0 : f64
    gpu.launch_func <%s : !llvm.ptr> @kernels::@scale
        blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%u : memref<64xf64>, %n : index, %c : f64)
    return
  }
}

// CHECK-LABEL: func.func @run
// CHECK-SAME: %[[STREAM:[a-z0-9]*]]: !llvm.ptr
// CHECK-SAME: llvm.emit_c_interface
// CHECK: %[[HANDLE:.*]] = llvm.call @kernels.scale.handle()
// CHECK: llvm.call @mgpuLaunchKernel(%[[HANDLE]], {{.*}}%[[STREAM]]
// CHECK-NOT: gpu.

// CHECK-LABEL: llvm.func internal @kernels.scale(%{{.*}}: !llvm.ptr)
// CHECK: llvm.call @stencilEmulatorSharedArray
// CHECK: %[[Y:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @stencilEmulatorId(%[[Y]])
// CHECK: llvm.call @stencilEmulatorBarrier
// CHECK: llvm.return

// The image knows the chip's limits: 64 lanes, 1024 threads, 64 KiB.
// CHECK-LABEL: llvm.mlir.global internal constant @kernels.image
// CHECK: "STENCILEMULATOR\00"
// CHECK: llvm.mlir.constant(64 : i32)
// CHECK: llvm.mlir.constant(1024 : i64)
// CHECK: llvm.mlir.constant(65536 : i64)

// LLVM-DAG: llvm.mlir.global internal constant @[[PLACE:.*]]("kernels.mlir:10:12\00")
// LLVM-LABEL: llvm.func internal @kernels.scale(
// LLVM-SAME: passthrough = {{\[\[}}"probe-stack", "inline-asm"]]
// LLVM: %[[TEXT:.*]] = llvm.mlir.addressof @[[PLACE]]
// LLVM: llvm.call @stencilEmulatorCheck(%[[ADDRESS:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %[[TEXT]])
// LLVM-NEXT: llvm.load %[[ADDRESS]]
// LLVM-NOT: stencil.emulator_
