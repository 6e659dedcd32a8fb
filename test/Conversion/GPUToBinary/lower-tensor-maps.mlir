// RUN: stencil-opt %s --stencil-lower-tensor-maps | FileCheck %s

#shared = #gpu.address_space<workgroup>
!map = !nvgpu.tensormap.descriptor<tensor = memref<2x18x136xf32, #shared>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>

module attributes {gpu.container_module} {
  // CHECK: func.func private @mgpuTensorMapEncodeTiled(!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, i32)
  gpu.module @kernels {
    // CHECK: gpu.func @k(%{{.*}}: index, %[[BYTES:.*]]: !llvm.array<16 x i64>) kernel
    // CHECK: %[[MAP:.*]] = builtin.unrealized_conversion_cast %[[BYTES]] : !llvm.array<16 x i64> to !nvgpu.tensormap.descriptor
    // CHECK: nvgpu.tma.prefetch.descriptor %[[MAP]]
    gpu.func @k(%n: index, %map: !map) kernel {
      nvgpu.tma.prefetch.descriptor %map : !map
      gpu.return
    }
  }

  // Extents, strides (bytes) and the box go from the fastest axis to the
  // slowest. The memory is the function's: none per step.
  // CHECK-LABEL: func @steps
  // CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index, %[[P:.*]]: index,
  // CHECK: %[[STEPS:.*]] = llvm.alloca {{.*}} x !llvm.array<3 x i32>
  // CHECK: %[[BOX:.*]] = llvm.alloca {{.*}} x !llvm.array<3 x i32>
  // CHECK: %[[STRIDES:.*]] = llvm.alloca {{.*}} x !llvm.array<2 x i64>
  // CHECK: %[[EXTENTS:.*]] = llvm.alloca {{.*}} x !llvm.array<3 x i64>
  // CHECK: %[[SLOT:.*]] = llvm.alloca {{.*}} x !llvm.array<16 x i64> {alignment = 64 : i64}
  // CHECK: scf.for
  // CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:3, %[[PITCH:.*]]:3 = memref.extract_strided_metadata %[[VIEW:.*]] :
  // CHECK: %[[N64:.*]] = arith.index_cast %[[SIZES]]#0
  // CHECK: %[[PLANE:.*]] = arith.muli %[[PITCH]]#0, %c4
  // CHECK: %[[PLANE64:.*]] = arith.index_cast %[[PLANE]]
  // CHECK: %[[ROW:.*]] = arith.muli %[[PITCH]]#1, %c4
  // CHECK: %[[ROW64:.*]] = arith.index_cast %[[ROW]]
  // CHECK: %[[P64:.*]] = arith.index_cast %[[SIZES]]#2
  // CHECK: memref.extract_aligned_pointer_as_index %[[VIEW]]
  // CHECK: arith.muli %[[OFFSET]], %c4
  // CHECK: %[[ADDRESS:.*]] = llvm.inttoptr
  // CHECK: %[[E0:.*]] = llvm.getelementptr %[[EXTENTS]][0]
  // CHECK: llvm.store %[[P64]], %[[E0]]
  // CHECK: %[[E2:.*]] = llvm.getelementptr %[[EXTENTS]][2]
  // CHECK: llvm.store %[[N64]], %[[E2]]
  // CHECK: %[[S0:.*]] = llvm.getelementptr %[[STRIDES]][0]
  // CHECK: llvm.store %[[ROW64]], %[[S0]]
  // CHECK: %[[S1:.*]] = llvm.getelementptr %[[STRIDES]][1]
  // CHECK: llvm.store %[[PLANE64]], %[[S1]]
  // CHECK: %[[B0:.*]] = llvm.getelementptr %[[BOX]][0]
  // CHECK: llvm.store %c136_i32, %[[B0]]
  // CHECK: call @mgpuTensorMapEncodeTiled(%[[SLOT]], %c7_i32, %c3_i32, %[[ADDRESS]], %[[EXTENTS]], %[[STRIDES]], %[[BOX]], %[[STEPS]], %c0_i32{{.*}}, %c0_i32{{.*}}, %c2_i32{{.*}}, %c0_i32{{.*}})
  // CHECK: %[[VALUE:.*]] = llvm.load %[[SLOT]] {alignment = 64 : i64} : !llvm.ptr -> !llvm.array<16 x i64>
  // CHECK: gpu.launch_func {{.*}} args(%[[N]] : index, %[[VALUE]] : !llvm.array<16 x i64>)
  func.func @steps(%n: index, %m: index, %p: index, %u: memref<4096xf32>, %stream: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c18 = arith.constant 18 : index
    %c136 = arith.constant 136 : index
    scf.for %i = %c0 to %n step %c1 {
      %plane = arith.muli %m, %p : index
      %view = memref.reinterpret_cast %u to offset: [%c2], sizes: [%n, %m, %p], strides: [%plane, %p, 1]
          : memref<4096xf32> to memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>
      %any = memref.cast %view : memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>> to memref<*xf32>
      %map = nvgpu.tma.create.descriptor %any box[%c2, %c18, %c136] : memref<*xf32> -> !map
      gpu.launch_func <%stream : !llvm.ptr> @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index, %map : !map)
    }
    return
  }
}
