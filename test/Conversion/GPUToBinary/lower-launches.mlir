// RUN: stencil-opt %s --stencil-lower-launches --split-input-file --verify-diagnostics | FileCheck %s

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, bin = "">]

  // Declarations come first, where gpu-to-llvm looks for them.
  // CHECK: func.func private @mgpuStreamCreate
  // Memrefs become pointers, sizes i64; the stream and scalars stay.
  // CHECK: func.func @launch(%[[S:.*]]: !llvm.ptr, %[[U:.*]]: memref<8xf64>, %[[N:.*]]: index, %[[C:.*]]: f64)
  func.func @launch(%s: !llvm.ptr, %u: memref<8xf64>, %n: index, %c: f64) {
    // CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
    // CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[U]]
    // CHECK: %[[A64:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
    // CHECK: %[[P:.*]] = llvm.inttoptr %[[A64]] : i64 to !llvm.ptr
    // CHECK: gpu.launch_func <%[[S]] : !llvm.ptr> @kernels::@k blocks in (%[[N64]], {{.*}} : i64 args(%[[P]] : !llvm.ptr, %[[C]] : f64)
    gpu.launch_func <%s : !llvm.ptr> @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%u : memref<8xf64>, %c : f64)
    return
  }
  func.func private @mgpuStreamCreate() -> !llvm.ptr
}

// -----

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, bin = "">]
  func.func @offset(%u: memref<8xf64, strided<[1], offset: 2>>, %n: index) {
    // expected-error @+1 {{expected memrefs without an offset, got 'memref<8xf64, strided<[1], offset: 2>>'}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%u : memref<8xf64, strided<[1], offset: 2>>)
    return
  }
}
