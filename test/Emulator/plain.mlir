// A kernel whose threads do not wait for each other; memory, copies, a stream.
// UNSUPPORTED: asan
// RUN: stencil-opt %s --gpu-to-emulator=chip=sm_90 \
// RUN: | mlir-runner -e main -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:     --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // v[i] = c u[i], for i < n.
    gpu.func @scale(%u: memref<64xf64>, %v: memref<f64>, %n: i32, %c: f64)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %size = arith.index_cast %n : i32 to index
      %all = memref.reinterpret_cast %v to offset: [0], sizes: [%size], strides: [1]
          : memref<f64> to memref<?xf64>
      %i = gpu.global_id x
      %inside = arith.cmpi ult, %i, %size : index
      scf.if %inside {
        %x = memref.load %u[%i] : memref<64xf64>
        %y = arith.mulf %x, %c : f64
        memref.store %y, %all[%i] : memref<?xf64>
      }
      gpu.return
    }
  }
  func.func private @mgpuStreamCreate() -> !llvm.ptr
  func.func private @mgpuStreamDestroy(!llvm.ptr)
  func.func private @stencilSelectBackend(i32)
  func.func private @printMemrefF64(memref<*xf64>) attributes {llvm.emit_c_interface}
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant 60 : i32
    %c = arith.constant 3.0 : f64
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %a = memref.alloc() : memref<64xf64>
    scf.for %i = %c0 to %c64 step %c1 {
      %ii = arith.index_cast %i : index to i32
      %f = arith.sitofp %ii : i32 to f64
      memref.store %f, %a[%i] : memref<64xf64>
    }
    %s = call @mgpuStreamCreate() : () -> !llvm.ptr
    %t0 = gpu.wait async
    %u, %t1 = gpu.alloc async [%t0] () : memref<64xf64>
    %v, %t2 = gpu.alloc async [%t1] () : memref<64xf64>
    %t3 = gpu.memcpy async [%t2] %u, %a : memref<64xf64>, memref<64xf64>
    %t4 = gpu.memcpy async [%t3] %v, %a : memref<64xf64>, memref<64xf64>
    gpu.wait [%t4]
    %v0 = memref.reinterpret_cast %v to offset: [0], sizes: [], strides: []
        : memref<64xf64> to memref<f64>
    gpu.launch_func <%s : !llvm.ptr> @kernels::@scale
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%u : memref<64xf64>, %v0 : memref<f64>, %n : i32, %c : f64)
    %t5 = gpu.wait async
    %t6 = gpu.memcpy async [%t5] %a, %v : memref<64xf64>, memref<64xf64>
    %t7 = gpu.dealloc async [%t6] %u : memref<64xf64>
    %t8 = gpu.dealloc async [%t7] %v : memref<64xf64>
    gpu.wait [%t8]
    call @mgpuStreamDestroy(%s) : (!llvm.ptr) -> ()
    %all = memref.cast %a : memref<64xf64> to memref<*xf64>
    // CHECK: [0,  3,  6,  9,  {{.*}}  174,  177,  60,  61,  62,  63]
    call @printMemrefF64(%all) : (memref<*xf64>) -> ()
    return
  }
}
