// Boxes of tensors through TMA and an mbarrier, over the edges of the tensor.
// UNSUPPORTED: asan
// RUN: stencil-opt %s --gpu-to-emulator=chip=sm_90 -o %t
// RUN: mlir-runner %t -e loads -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s --check-prefix=LOAD
// RUN: mlir-runner %t -e far -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s --check-prefix=FAR
// RUN: mlir-runner %t -e holes -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s --check-prefix=HOLES
// RUN: not mlir-runner %t -e inside_hole -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: mlir-runner %t -e stores -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s --check-prefix=STORE
// RUN: not mlir-runner %t -e early -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not mlir-runner %t -e lacking -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --check-prefix=LACKING
// RUN: not mlir-runner %t -e unwaited -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --check-prefix=UNWAITED

// RUN: stencil-translate %s --to-ptx --chip sm_90 -o - | FileCheck %s --check-prefix=PTX
// PTX-LABEL: .entry loads(
// PTX-DAG: prefetch.tensormap
// PTX-DAG: cp.async.bulk.prefetch.tensor.2d.L2.global
// PTX-DAG: cp.async.bulk.prefetch.L2.global
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-LABEL: .entry stores(
// PTX: cp.async.bulk.tensor.2d.global.shared::cta

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x8xf64, #shared>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #shared, num_barriers = 2>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @loads(%map: !map, %v: memref<128xf64>, %x: index, %y: index)
        workgroup(%tile: memref<4x8xf64, #shared> {llvm.align = 128 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %bytes = arith.constant 256 : index
      %even = arith.constant 0 : i1
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      // Hints, which change nothing.
      %x32 = arith.index_cast %x : index to i32
      %y32 = arith.index_cast %y : index to i32
      %pointer = builtin.unrealized_conversion_cast %map : !map to !llvm.ptr
      nvgpu.tma.prefetch.descriptor %map, predicate = %first : !map
      nvvm.cp.async.bulk.tensor.prefetch %pointer, box[%x32, %y32] : !llvm.ptr
      %address = memref.extract_aligned_pointer_as_index %v : memref<128xf64> -> index
      %word = arith.index_cast %address : index to i64
      %global = llvm.inttoptr %word : i64 to !llvm.ptr<1>
      %size = arith.constant 1024 : i32
      nvvm.cp.async.bulk.prefetch %global, %size : !llvm.ptr<1>
      %b = nvgpu.mbarrier.create -> !barriers
      nvgpu.mbarrier.init %b[%c1], %c1, predicate = %first : !barriers
      nvvm.fence.mbarrier.init
      gpu.barrier
      nvgpu.mbarrier.arrive.expect_tx %b[%c1], %bytes, predicate = %first : !barriers
      nvgpu.tma.async.load %map[%x, %y], %b[%c1] to %tile, predicate = %first
          : !map, !barriers -> memref<4x8xf64, #shared>
      nvgpu.mbarrier.try_wait.parity %b[%c1], %even, %bytes : !barriers
      %row = arith.divui %t, %c8 : index
      %col = arith.remui %t, %c8 : index
      %value = memref.load %tile[%row, %col] : memref<4x8xf64, #shared>
      memref.store %value, %v[%t] : memref<128xf64>
      gpu.return
    }
    // Row %row of the box at row 2 of the tensor.
    gpu.func @row(%map: !map, %v: memref<8xf64>, %row: index)
        workgroup(%tile: memref<4x8xf64, #shared> {llvm.align = 128 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %bytes = arith.constant 256 : index
      %even = arith.constant 0 : i1
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      %b = nvgpu.mbarrier.create -> !barriers
      nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
      nvvm.fence.mbarrier.init
      gpu.barrier
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %first : !barriers
      nvgpu.tma.async.load %map[%c0, %c2], %b[%c0] to %tile, predicate = %first
          : !map, !barriers -> memref<4x8xf64, #shared>
      nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %bytes : !barriers
      // INSIDE: error: emulator: read of 8 bytes of shared memory that has no value yet, in kernel row, {{.*}} at tma.mlir:[[#@LINE+1]]:
      %value = memref.load %tile[%row, %t] : memref<4x8xf64, #shared>
      memref.store %value, %v[%t] : memref<8xf64>
      gpu.return
    }
    // Thread t's number to the same box; the rest of the tensor stays.
    gpu.func @stores(%map: !map)
        workgroup(%tile: memref<4x8xf64, #shared> {llvm.align = 128 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %x = arith.constant 12 : index
      %y = arith.constant -1 : index
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      %row = arith.divui %t, %c8 : index
      %col = arith.remui %t, %c8 : index
      %number = arith.index_cast %t : index to i32
      %value = arith.sitofp %number : i32 to f64
      memref.store %value, %tile[%row, %col] : memref<4x8xf64, #shared>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      nvgpu.tma.async.store %tile to %map[%x, %y], predicate = %first
          : memref<4x8xf64, #shared> -> !map
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
      gpu.return
    }
    gpu.func @early(%map: !map, %v: memref<128xf64>)
        workgroup(%tile: memref<4x8xf64, #shared> {llvm.align = 128 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %bytes = arith.constant 256 : index
      %b = nvgpu.mbarrier.create -> !barriers
      nvgpu.mbarrier.init %b[%c0], %c1 : !barriers
      nvvm.fence.mbarrier.init
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile : !map, !barriers -> memref<4x8xf64, #shared>
      // EARLY: error: emulator: race on shared memory: read of 8 bytes, in kernel early, {{.*}} at tma.mlir:[[#@LINE+1]]:{{.*}} an asynchronous copy, at tma.mlir:[[#@LINE-1]]:{{.*}}, which has not been waited for
      %value = memref.load %tile[%c0, %c0] : memref<4x8xf64, #shared>
      memref.store %value, %v[%c0] : memref<128xf64>
      gpu.return
    }
    gpu.func @lacking() kernel {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %even = arith.constant 0 : i1
      %b = nvgpu.mbarrier.create -> !barriers
      nvgpu.mbarrier.init %b[%c0], %c2 : !barriers
      %token = nvgpu.mbarrier.arrive %b[%c0] : !barriers -> !nvgpu.mbarrier.token
      // LACKING: error: emulator: threads wait for ever, in kernel lacking, {{.*}} thread (0, 0, 0) waits for an mbarrier at tma.mlir:[[#@LINE+1]]:
      nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %c2 : !barriers
      gpu.return
    }
    gpu.func @unwaited(%map: !map)
        workgroup(%tile: memref<4x8xf64, #shared> {llvm.align = 128 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %value = arith.constant 1.0 : f64
      memref.store %value, %tile[%c0, %c0] : memref<4x8xf64, #shared>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      // UNWAITED: error: emulator: the thread ends before its bulk copies, which it must wait for, in kernel unwaited, {{.*}} at tma.mlir:[[#@LINE+1]]:
      nvgpu.tma.async.store %tile to %map[%c0, %c0] : memref<4x8xf64, #shared> -> !map
      nvvm.cp.async.bulk.commit.group
      gpu.return
    }
  }
  func.func private @stencilSelectBackend(i32)
  func.func private @printMemrefF64(memref<*xf64>) attributes {llvm.emit_c_interface}
  // The numbers from 0 to 127, in 8 rows of 16.
  func.func private @prepare() -> memref<128xf64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %v = gpu.alloc host_shared () : memref<128xf64>
    scf.for %i = %c0 to %c128 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f64
      memref.store %f, %v[%i] : memref<128xf64>
    }
    return %v : memref<128xf64>
  }
  func.func private @box(%x: index, %y: index, %rows: index, %columns: index) {
    %n = arith.constant 1 : index
    %t = arith.constant 32 : index
    %v = call @prepare() : () -> memref<128xf64>
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %tensor = memref.reinterpret_cast %v to offset: [0], sizes: [%rows, %columns], strides: [%columns, 1]
        : memref<128xf64> to memref<?x?xf64, strided<[?, 1]>>
    %any = memref.cast %tensor : memref<?x?xf64, strided<[?, 1]>> to memref<*xf64>
    %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
    gpu.launch_func @kernels::@loads blocks in (%n, %n, %n) threads in (%t, %n, %n)
        args(%map : !map, %v : memref<128xf64>, %x : index, %y : index)
    %all = memref.cast %v : memref<128xf64> to memref<*xf64>
    call @printMemrefF64(%all) : (memref<*xf64>) -> ()
    return
  }
  // The first row and the last four columns of the box are outside.
  // LOAD: [0,  0,  0,  0,  0,  0,  0,  0,
  // LOAD-SAME: 12,  13,  14,  15,  0,  0,  0,  0,
  // LOAD-SAME: 28,  29,  30,  31,  0,  0,  0,  0,
  // LOAD-SAME: 44,  45,  46,  47,  0,  0,  0,  0,  32,
  func.func @loads() {
    %x = arith.constant 12 : index
    %y = arith.constant -1 : index
    %rows = arith.constant 8 : index
    %columns = arith.constant 16 : index
    call @box(%x, %y, %rows, %columns) : (index, index, index, index) -> ()
    return
  }
  // All of it is.
  // FAR: [0,{{(  0,)*}}  32,  33,
  func.func @far() {
    %x = arith.constant 2000000000 : index
    %y = arith.constant -2000000000 : index
    %rows = arith.constant 8 : index
    %columns = arith.constant 16 : index
    call @box(%x, %y, %rows, %columns) : (index, index, index, index) -> ()
    return
  }
  // Only the first four of eight rows have values. What is copied may have
  // none, as long as nobody needs it.
  func.func private @part(%row: index) -> memref<8xf64> {
    %n = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %known = call @prepare() : () -> memref<128xf64>
    %start = gpu.wait async
    %u, %token = gpu.alloc async [%start] () : memref<128xf64>
    %v = gpu.alloc host_shared () : memref<8xf64>
    %from = memref.reinterpret_cast %known to offset: [0], sizes: [64], strides: [1] : memref<128xf64> to memref<64xf64>
    %to = memref.reinterpret_cast %u to offset: [0], sizes: [64], strides: [1] : memref<128xf64> to memref<64xf64>
    %done = gpu.memcpy async [%token] %to, %from : memref<64xf64>, memref<64xf64>
    gpu.wait [%done]
    %rows = memref.reinterpret_cast %u to offset: [0], sizes: [8, 16], strides: [16, 1]
        : memref<128xf64> to memref<8x16xf64>
    %any = memref.cast %rows : memref<8x16xf64> to memref<*xf64>
    %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
    gpu.launch_func @kernels::@row blocks in (%n, %n, %n) threads in (%c8, %n, %n)
        args(%map : !map, %v : memref<8xf64>, %row : index)
    return %v : memref<8xf64>
  }
  func.func @holes() {
    %row = arith.constant 1 : index
    %v = call @part(%row) : (index) -> memref<8xf64>
    %all = memref.cast %v : memref<8xf64> to memref<*xf64>
    // HOLES: [48,  49,  50,  51,  52,  53,  54,  55]
    call @printMemrefF64(%all) : (memref<*xf64>) -> ()
    return
  }
  func.func @inside_hole() {
    %row = arith.constant 2 : index
    %v = call @part(%row) : (index) -> memref<8xf64>
    return
  }
  func.func @stores() {
    %n = arith.constant 1 : index
    %t = arith.constant 32 : index
    %v = call @prepare() : () -> memref<128xf64>
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %rows = memref.reinterpret_cast %v to offset: [0], sizes: [8, 16], strides: [16, 1]
        : memref<128xf64> to memref<8x16xf64>
    %any = memref.cast %rows : memref<8x16xf64> to memref<*xf64>
    %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
    gpu.launch_func @kernels::@stores blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%map : !map)
    %all = memref.cast %v : memref<128xf64> to memref<*xf64>
    // STORE: [0,  1,  2,  3, {{.*}}  11,  8,  9,  10,  11,  16,  17,
    // STORE-SAME: 27,  16,  17,  18,  19,  32,
    // STORE-SAME: 43,  24,  25,  26,  27,  48,
    call @printMemrefF64(%all) : (memref<*xf64>) -> ()
    return
  }
  func.func @early() {
    %n = arith.constant 1 : index
    %v = call @prepare() : () -> memref<128xf64>
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %rows = memref.reinterpret_cast %v to offset: [0], sizes: [8, 16], strides: [16, 1]
        : memref<128xf64> to memref<8x16xf64>
    %any = memref.cast %rows : memref<8x16xf64> to memref<*xf64>
    %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
    gpu.launch_func @kernels::@early blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%map : !map, %v : memref<128xf64>)
    return
  }
  func.func @lacking() {
    %n = arith.constant 1 : index
    %v = call @prepare() : () -> memref<128xf64>
    gpu.launch_func @kernels::@lacking blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  func.func @unwaited() {
    %n = arith.constant 1 : index
    %v = call @prepare() : () -> memref<128xf64>
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %rows = memref.reinterpret_cast %v to offset: [0], sizes: [8, 16], strides: [16, 1]
        : memref<128xf64> to memref<8x16xf64>
    %any = memref.cast %rows : memref<8x16xf64> to memref<*xf64>
    %map = nvgpu.tma.create.descriptor %any box[%c4, %c8] : memref<*xf64> -> !map
    gpu.launch_func @kernels::@unwaited blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%map : !map)
    return
  }
}
