// The host's side, of launches alone: kernels are not looked at, and here they
// are empty.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-place-fields --canonicalize --cse --split-input-file | FileCheck %s --implicit-check-not='stencil.launch '

// Copied to the device is all, copied back what is written. The threads, the
// stream and the shared memory come from the launch.

!field = !stencil.field<[-1,5]x[-1,5]xf64>
gpu.module @k {
  gpu.func @f(%u: memref<72xf64>, %c: f64, %v: memref<72xf64>) kernel { gpu.return }
}

// CHECK-LABEL: func.func @sweep
// CHECK-SAME: (%[[U:.*]]: memref<6x6xf64>, %[[V:.*]]: memref<6x6xf64>, %[[C:.*]]: f64)
// CHECK: %[[S:.*]] = call @mgpuStreamCreate()
// CHECK: %[[DU:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<72xf64>
// CHECK: %[[DV:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<72xf64>
// CHECK: call @stencilMemcpy2D
// CHECK: %[[HV:.*]] = memref.extract_aligned_pointer_as_index %[[V]]
// CHECK: call @stencilMemcpy2D
// CHECK: gpu.launch_func <%[[S]] : !llvm.ptr> @k::@f blocks in (%c7, %c1, %c1) threads in (%c64, %c2, %c1) dynamic_shared_memory_size %c4096_i32 args(%[[DU]] : memref<72xf64>, %[[C]] : f64, %[[DV]] : memref<72xf64>) {stencil.region_group = #stencil.region_group<0, launch>}
// CHECK: call @stencilEndTiming
// CHECK: call @stencilMemcpy2D(%[[HV]],
// CHECK-NOT: call @stencilMemcpy2D
// CHECK: call @mgpuStreamDestroy(%[[S]])
func.func @sweep(%u: !field, %v: !field, %c: f64) {
  %n = arith.constant 7 : index
  stencil.launch @k::@f blocks(%n) threads [64, 2, 1] shared 4096 args(%u : !field read, %c : f64, %v : !field write) attributes {stencil.region_group = #stencil.region_group<0, launch>}
  return
}

// -----

// Of a size that is known at run time only, a kernel gets a bare pointer.

!open = !stencil.field<[0,?]xf64>
gpu.module @k {
  gpu.func @f(%n: i64, %size: i64, %u: memref<f64>) kernel { gpu.return }
}

// CHECK-LABEL: func.func @open
// CHECK-SAME: (%[[U:.*]]: memref<?xf64>)
// CHECK: %[[N:.*]] = memref.dim %[[U]]
// The extent is checked against what the kernels have been made for.
// CHECK: arith.cmpi sge, %[[N]], %c3
// CHECK: cf.assert %{{.*}}, "{{.*}}expected an interior extent of at least 3 on axis 0"
// CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[DU:.*]], %{{.*}} = gpu.alloc async {{.*}}(%[[SIZE:.*]]) : memref<?xf64>
// CHECK: %[[SIZE64:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK: %[[BARE:.*]] = memref.reinterpret_cast %[[DU]] to offset: [0], sizes: [], strides: []
// CHECK: gpu.launch_func {{.*}} blocks in (%[[N]], {{.*}} args(%[[N64]] : i64, %[[SIZE64]] : i64, %[[BARE]] : memref<f64>)
func.func @open(%u: !open) attributes {stencil.minimal_extents = array<i64: 3>} {
  %n = stencil.extent 0
  %n64 = arith.index_cast %n : index to i64
  %size = stencil.buffer_size %u : !open
  %size64 = arith.index_cast %size : index to i64
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%n64 : i64, %size64 : i64, %u : !open readwrite)
  return
}

// -----

// Memory that kernels hand each other is allocated once, before the loop; what
// the host asks for is copied and waited for. A word for errors is 0 at first,
// and checked in the end.

gpu.module @k {
  gpu.func @f(%p: memref<1xf64>, %e: memref<1xi32>) kernel { gpu.return }
}

// CHECK-LABEL: func.func @sum
// CHECK: %[[E:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<1xi32>
// CHECK: call @mgpuMemset32
// CHECK: %[[P:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<1xf64>
// CHECK: scf.for
// CHECK: gpu.launch_func {{.*}} args(%[[P]] : memref<1xf64>, %[[E]] : memref<1xi32>)
// CHECK: call @stencilMemcpy2D
// CHECK: call @mgpuStreamSynchronize
// CHECK: memref.load
// CHECK: scf.yield
// CHECK: call @stencilMemcpy2D
// CHECK: call @mgpuStreamSynchronize
// CHECK: %[[FOUND:.*]] = memref.load %{{.*}} : memref<1xi32>
// CHECK: arith.cmpi ne, %[[FOUND]], %c1_i32
// CHECK: cf.assert %{{.*}}, "too far"
// CHECK: arith.cmpi ne, %[[FOUND]], %c2_i32
// CHECK: cf.assert %{{.*}}, "too near"
func.func @sum(%n: index, %zero: f64) -> f64 {
  %e = stencil.error_word ["too far", "too near"] : memref<1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %p = stencil.scratch : memref<1xf64>
    stencil.launch @k::@f blocks(%c1) threads [1, 1, 1] args(%p : memref<1xf64> write, %e : memref<1xi32> write)
    %term = stencil.fetch %p : memref<1xf64>
    %t = arith.addf %s, %term : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// -----

// A tensor map describes the rows of the buffer, with what pads them in front.

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!map = !nvgpu.tensormap.descriptor<tensor = memref<10x36xf64, #gpu.address_space<workgroup>>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>
gpu.module @k {
  gpu.func @f(%u: !map) kernel { gpu.return }
}

// CHECK-LABEL: func.func @map
// CHECK: %[[DU:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<4752xf64>
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[DU]] to offset: [0], sizes: [66, 69], strides: [72, 1]
// CHECK: %[[ANY:.*]] = memref.cast %[[VIEW]]
// CHECK: %[[MAP:.*]] = nvgpu.tma.create.descriptor %[[ANY]] box[%c10, %c36]
// CHECK: gpu.launch_func {{.*}} args(%[[MAP]] :
func.func @map(%u: !field) {
  %n = arith.constant 1 : index
  %m = stencil.tensor_map %u : !field -> !map
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%m : !map)
  return
}

// -----

// Segments of a row: the last of a box ends where the row does.

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!map = !nvgpu.tensormap.descriptor<tensor = memref<10x4x12xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
gpu.module @k {
  gpu.func @f(%u: !map) kernel { gpu.return }
}

// CHECK-LABEL: func.func @segments
// CHECK: %[[DU:.*]], %{{.*}} = gpu.alloc async {{.*}} : memref<4752xf64>
// CHECK: memref.reinterpret_cast %[[DU]] to offset: [0], sizes: [66, 4, 45], strides: [72, 8, 1]
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%c10, %c4, %c12]
func.func @segments(%u: !field) {
  %n = arith.constant 1 : index
  %m = stencil.tensor_map %u segment 8 : !field -> !map
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%m : !map)
  return
}

// -----

// Of a row that is shorter than that, no box is ever asked for.

!field = !stencil.field<[0,20]xf64>
!map = !nvgpu.tensormap.descriptor<tensor = memref<4x12xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
gpu.module @k {
  gpu.func @f(%u: !map) kernel { gpu.return }
}

// CHECK-LABEL: func.func @short
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 0], strides: [8, 1]
func.func @short(%u: !field) {
  %n = arith.constant 1 : index
  %m = stencil.tensor_map %u segment 8 : !field -> !map
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%m : !map)
  return
}

// -----

// Arrays of the caller are used in place, and checked for what the most
// demanding launch needs.

!field = !stencil.field<[0,8]xf64>
gpu.module @k {
  gpu.func @f(%u: memref<8xf64>) kernel { gpu.return }
}

// CHECK-LABEL: func.func @in_place
// CHECK-SAME: (%[[U:.*]]: memref<8xf64>) {
// CHECK: call @stencilCheckArray(%{{.*}}, %{{.*}}, %c16)
// CHECK-NOT: gpu.alloc
// CHECK-COUNT-2: gpu.launch_func
func.func @in_place(%u: !field) attributes {stencil.device_arrays} {
  %n = arith.constant 1 : index
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] align 16 args(%u : !field read)
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] align 8 args(%u : !field write)
  return
}
