// A fence that is missing or in the wrong place is reported, with the ops on
// both of its sides.
// UNSUPPORTED: asan
// DEFINE: %{seed} = 1
// DEFINE: %{entry} = copies
// DEFINE: %{fence} = nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// DEFINE: %{lower} = stencil-opt --gpu-to-emulator=chip=sm_90
// DEFINE: %{run} = env STENCIL_EMULATOR_SEED=%{seed} mlir-runner -e %{entry} \
// DEFINE:   -entry-point-result=void --shared-libs=%stencil_runtime --shared-libs=%llvm_lib/libmlir_runner_utils.so
// RUN: sed '' %s | %{lower} | %{run} | FileCheck %s
// CHECK: [0,  1,  2,  3,  4,

// RUN: sed '/-- init fence/d' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=INIT
// INIT: error: emulator: missing fence.mbarrier_init or fence.proxy.async: an asynchronous copy uses an mbarrier, in kernel copies, block (0, 0, 0), thread (0, 0, 0), at {{.*}}; it was initialised at
// The fence of another thread than the one that has initialised it.
// RUN: sed 's/nvvm.fence.mbarrier.init.*-- init fence/scf.if %%other { nvvm.fence.mbarrier.init }/' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=INIT

// RUN: sed '/-- read fence/d' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=READ
// READ: error: emulator: missing fence.proxy.async: write of 256 bytes of shared memory by an asynchronous copy, in kernel copies, block (0, 0, 0), thread (0, 0, 0), at {{.*}}; it follows an access by block (0, 0, 0), thread (

// RUN: sed '/-- write fence/d' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: sed -e '/-- write fence/d' -e 's/-- write$/&\n%{fence}/' %s | %{lower} | %{run} | FileCheck %s
// Before what it is to order.
// RUN: sed -e '/-- write fence/d' -e 's/.*-- write$/%{fence}\n&/' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=WRITE
// Of other memory.
// RUN: sed -e '/-- write fence/s/async.shared>, space = #nvvm.shared_space<cta>/async.global>/' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: emulator: missing fence.proxy.async: read of 256 bytes of shared memory by an asynchronous copy, in kernel copies

// Blocks that tell each other through a number in global memory.
// REDEFINE: %{entry} = sums
// RUN: sed '' %s | %{lower} | %{run} | FileCheck %s --check-prefix=SUM
// REDEFINE: %{seed} = 2
// RUN: sed '' %s | %{lower} | %{run} | FileCheck %s --check-prefix=SUM
// SUM: [28]
// RUN: sed '/-- release/d' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: sed '/-- acquire/d' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=BLOCKS
// A fence of a block is none for others.
// RUN: sed '/-- release/s/<gpu>/<cta>/' %s | %{lower} | not %{run} 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: emulator: race on global memory: read of 4 bytes, in kernel sums, {{.*}}; with an access by block

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #shared, num_barriers = 1>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // A box comes, is read, comes again, is changed, and goes.
    gpu.func @copies(%map: !map, %v: memref<32xf64>)
        workgroup(%tile: memref<4x8xf64, #shared> {llvm.align = 128 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %bytes = arith.constant 256 : index
      %even = arith.constant 0 : i1
      %odd = arith.constant 1 : i1
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      %other = arith.cmpi ne, %t, %c0 : index
      %row = arith.divui %t, %c8 : index
      %col = arith.remui %t, %c8 : index
      %b = nvgpu.mbarrier.create -> !barriers
      nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
      nvvm.fence.mbarrier.init // -- init fence
      gpu.barrier
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %first : !barriers
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile, predicate = %first : !map, !barriers -> memref<4x8xf64, #shared>
      nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %bytes : !barriers
      %x = memref.load %tile[%row, %col] : memref<4x8xf64, #shared>
      memref.store %x, %v[%t] : memref<32xf64>
      gpu.barrier
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // -- read fence
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %first : !barriers
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile, predicate = %first : !map, !barriers -> memref<4x8xf64, #shared>
      nvgpu.mbarrier.try_wait.parity %b[%c0], %odd, %bytes : !barriers
      memref.store %x, %tile[%row, %col] : memref<4x8xf64, #shared> // -- write
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // -- write fence
      gpu.barrier
      nvgpu.tma.async.store %tile to %map[%c0, %c0], predicate = %first : memref<4x8xf64, #shared> -> !map
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0 {read}
      gpu.return
    }
    // The last block sums what all have stored.
    gpu.func @sums(%parts: memref<8xi32>, %count: memref<1xi32>, %v: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %seven = arith.constant 7 : i32
      %block = gpu.block_id x
      %number = arith.index_cast %block : index to i32
      memref.store %number, %parts[%block] : memref<8xi32>
      nvvm.memory.barrier #nvvm.mem_scope<gpu> // -- release
      %before = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
      %last = arith.cmpi eq, %before, %seven : i32
      scf.if %last {
        nvvm.memory.barrier #nvvm.mem_scope<gpu> // -- acquire
        %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%all = %zero) -> i32 {
          %part = memref.load %parts[%i] : memref<8xi32>
          %next = arith.addi %all, %part : i32
          scf.yield %next : i32
        }
        memref.store %sum, %v[%c0] : memref<1xi32>
      }
      gpu.return
    }
  }
  func.func private @stencilSelectBackend(i32)
  func.func private @printMemrefF64(memref<*xf64>) attributes {llvm.emit_c_interface}
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func @copies() {
    %c0 = arith.constant 0 : index
    %n = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %t = arith.constant 32 : index
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %u = gpu.alloc host_shared () : memref<32xf64>
    %v = gpu.alloc host_shared () : memref<32xf64>
    scf.for %i = %c0 to %t step %n {
      %number = arith.index_cast %i : index to i32
      %f = arith.sitofp %number : i32 to f64
      memref.store %f, %u[%i] : memref<32xf64>
    }
    %box = memref.expand_shape %u [[0, 1]] output_shape [4, 8] : memref<32xf64> into memref<4x8xf64>
    %any = memref.cast %box : memref<4x8xf64> to memref<*xf64>
    %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
    gpu.launch_func @kernels::@copies blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%map : !map, %v : memref<32xf64>)
    %all = memref.cast %v : memref<32xf64> to memref<*xf64>
    call @printMemrefF64(%all) : (memref<*xf64>) -> ()
    return
  }
  func.func @sums() {
    %c0 = arith.constant 0 : index
    %n = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %parts = gpu.alloc host_shared () : memref<8xi32>
    %count = gpu.alloc host_shared () : memref<1xi32>
    %v = gpu.alloc host_shared () : memref<1xi32>
    memref.store %zero, %count[%c0] : memref<1xi32>
    gpu.launch_func @kernels::@sums blocks in (%c8, %n, %n) threads in (%n, %n, %n)
        args(%parts : memref<8xi32>, %count : memref<1xi32>, %v : memref<1xi32>)
    %all = memref.cast %v : memref<1xi32> to memref<*xi32>
    call @printMemrefI32(%all) : (memref<*xi32>) -> ()
    return
  }
}
