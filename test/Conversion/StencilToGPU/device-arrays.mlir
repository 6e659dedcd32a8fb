// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --canonicalize --cse --split-input-file | FileCheck %s

// Kernels work in the caller's arrays: nothing is allocated or copied, and
// nothing waits. What is written may not overlap anything.

// CHECK-LABEL: func.func @sum
// CHECK-NOT: stencil.device_arrays
// CHECK-SAME: (%[[U:.*]]: memref<6x6xf64>, %[[V:.*]]: memref<6x6xf64>)
// CHECK: call @stencilSelectBackend
// CHECK: %[[AU:.*]] = memref.extract_aligned_pointer_as_index %[[U]]
// CHECK: %[[CODE:.*]] = call @stencilCheckArray(%[[AU]], %c288, %c8)
// CHECK: %[[HOST:.*]] = arith.cmpi ne, %[[CODE]], %c1_i32
// CHECK: cf.assert %[[HOST]], "{{.*}}argument 0: expected device memory, got host memory"
// CHECK: cf.assert %{{.*}}, "{{.*}}argument 0: expected memory of the device that the program runs on
// CHECK: cf.assert %{{.*}}, "{{.*}}argument 0: expected an array that is aligned to 8 bytes"
// CHECK: cf.assert %{{.*}}, "{{.*}}argument 0: expected as much memory as the array's extents ask for"
// CHECK: %[[AV:.*]] = memref.extract_aligned_pointer_as_index %[[V]]
// CHECK: call @stencilCheckArray(%[[AV]], %c288, %c8)
// One ends before the other one begins, or where it does.
// CHECK: %[[ENDU:.*]] = arith.addi %[[AU]], %c288
// CHECK: %[[BEFORE:.*]] = arith.cmpi ule, %[[ENDU]], %[[AV]]
// CHECK: %[[ENDV:.*]] = arith.addi %[[AV]], %c288
// CHECK: %[[BEHIND:.*]] = arith.cmpi ule, %[[ENDV]], %[[AU]]
// CHECK: %[[APART:.*]] = arith.ori %[[BEFORE]], %[[BEHIND]]
// CHECK: cf.assert %[[APART]], "{{.*}}argument 1: expected an array that does not overlap argument 0"
// CHECK: %[[S:.*]] = call @stencilOpenStream()
// CHECK-NOT: stencilExpectWait
// CHECK: call @stencilReserveMemory(%c0)
// CHECK: %[[LU:.*]] = memref.reinterpret_cast %[[U]] to offset: [0], sizes: [36], strides: [1] : memref<6x6xf64> to memref<36xf64>
// CHECK: %[[LV:.*]] = memref.reinterpret_cast %[[V]]
// CHECK-NOT: {{gpu.alloc|Memcpy|Synchronize}}
// CHECK: gpu.launch_func <%[[S]] : !llvm.ptr> {{.*}} args(%[[LU]] : memref<36xf64>, %[[LV]] : memref<36xf64>)
// CHECK-NOT: {{gpu.dealloc|Memcpy|Synchronize}}
// CHECK: call @stencilFinishStream(%[[S]])
// CHECK-NEXT: call @stencilCloseStream(%[[S]])
func.func @sum(%u: !stencil.field<[-1,5]x[-1,5]xf64>, %v: !stencil.field<[-1,5]x[-1,5]xf64>) attributes {stencil.device_arrays} {
  stencil.apply(%x = %u : !stencil.field<[-1,5]x[-1,5]xf64>) outs (%v : !stencil.field<[-1,5]x[-1,5]xf64>) {
    %p = stencil.access %x[0, 1] : !stencil.field<[-1,5]x[-1,5]xf64>
    stencil.return %p : f64
  } to <[0, 0], [4, 4]>
  return
}

// -----

// Rows of 24 bytes say nothing of 16; of 32 bytes, they do.

// CHECK-LABEL: gpu.module @odd_kernels
// CHECK: gpu.func @odd_apply0(%{{.*}}: memref<12xf64> {llvm.align = 8 : i32
// CHECK-NOT: vector.load
// CHECK: func.func @odd
func.func @odd(%u: !stencil.field<[0,4]x[0,3]xf64>, %v: !stencil.field<[0,4]x[0,3]xf64>) attributes {stencil.device_arrays} {
  stencil.apply(%x = %u : !stencil.field<[0,4]x[0,3]xf64>) outs (%v : !stencil.field<[0,4]x[0,3]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [1, 4], points = [1, 2]>} {
    %p = stencil.access %x[0, 0] : !stencil.field<[0,4]x[0,3]xf64>
    stencil.return %p : f64
  } to <[0, 0], [4, 3]>
  return
}

// CHECK-LABEL: gpu.module @even_kernels
// CHECK: vector.load {{.*}} {alignment = 16
// CHECK: vector.store {{.*}} {alignment = 16
// CHECK: func.func @even
// CHECK: call @stencilCheckArray(%{{.*}}, %c128, %c16)
func.func @even(%u: !stencil.field<[0,4]x[0,4]xf64>, %v: !stencil.field<[0,4]x[0,4]xf64>) attributes {stencil.device_arrays} {
  stencil.apply(%x = %u : !stencil.field<[0,4]x[0,4]xf64>) outs (%v : !stencil.field<[0,4]x[0,4]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [1, 4], points = [1, 2]>} {
    %p = stencil.access %x[0, 0] : !stencil.field<[0,4]x[0,4]xf64>
    stencil.return %p : f64
  } to <[0, 0], [4, 4]>
  return
}

// -----

// Fields of the function's own are dense, too, so that they can be swapped; they
// come and go in the order of the stream.

// CHECK-LABEL: func.func @own
// CHECK: %[[S:.*]] = call @stencilOpenStream()
// CHECK: %[[T:.*]] = builtin.unrealized_conversion_cast %[[S]] : !llvm.ptr to !gpu.async.token
// CHECK: %[[B:.*]], %{{.*}} = gpu.alloc async [%[[T]]] () : memref<10xf32>
// CHECK-NOT: gpu.wait
// CHECK: gpu.dealloc async [%[[T]]] %[[B]] : memref<10xf32>
func.func @own(%u: !stencil.field<[-1,9]xf32>, %n: index) attributes {stencil.device_arrays} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = stencil.alloc : !stencil.field<[-1,9]xf32>
  scf.for %i = %c0 to %n step %c1 {
    stencil.apply(%x = %u : !stencil.field<[-1,9]xf32>) outs (%b : !stencil.field<[-1,9]xf32>) {
      %p = stencil.access %x[1] : !stencil.field<[-1,9]xf32>
      stencil.return %p : f32
    } to <[0], [8]>
    stencil.apply(%x = %b : !stencil.field<[-1,9]xf32>) outs (%u : !stencil.field<[-1,9]xf32>) {
      %p = stencil.access %x[0] : !stencil.field<[-1,9]xf32>
      stencil.return %p : f32
    } to <[0], [8]>
  }
  return
}

// -----

// A value for the host is waited for, which is said before anything is given to
// the stream.

// CHECK-LABEL: func.func @norm
// CHECK: %[[S:.*]] = call @stencilOpenStream()
// CHECK-NEXT: call @stencilExpectWait(%[[S]])
// CHECK: call @mgpuStreamSynchronize(%[[S]])
func.func @norm(%u: !stencil.field<[0,8]xf64>) -> f64 attributes {stencil.device_arrays} {
  %r = stencil.fold %u(<[0], [8]>) max : !stencil.field<[0,8]xf64>
  return %r : f64
}

// -----

// Which of its arguments a function returns shows at run time. Memrefs that
// fields are made of, and stored to, are such arrays, too: a copy is made on the
// device, unless the field is the array.

// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[A:.*]]: memref<?xf64>, %[[B:.*]]: memref<?xf64>
// CHECK: scf.for
// CHECK: %[[DIFFERS:.*]] = arith.cmpi ne
// CHECK-NEXT: scf.if %[[DIFFERS]] {
// CHECK-NEXT: call @stencilMemcpy2D
// CHECK: }
// CHECK-NOT: Synchronize
// CHECK: return
func.func @views(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) attributes {stencil.device_arrays} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = stencil.external_load %a : memref<?xf64> -> !stencil.field<?xf64>
  %g = stencil.external_load %b : memref<?xf64> -> !stencil.field<?xf64>
  %u = stencil.cast %f : !stencil.field<?xf64> -> !stencil.field<[-1,9]xf64>
  %v = stencil.cast %g : !stencil.field<?xf64> -> !stencil.field<[-1,9]xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %u, %y0 = %v) -> (!stencil.field<[-1,9]xf64>, !stencil.field<[-1,9]xf64>) {
    stencil.apply(%x = %x0 : !stencil.field<[-1,9]xf64>) outs (%y0 : !stencil.field<[-1,9]xf64>) {
      %p = stencil.access %x[1] : !stencil.field<[-1,9]xf64>
      stencil.return %p : f64
    } to <[0], [8]>
    scf.yield %y0, %x0 : !stencil.field<[-1,9]xf64>, !stencil.field<[-1,9]xf64>
  }
  stencil.external_store %r#0 to %a : !stencil.field<[-1,9]xf64> to memref<?xf64>
  return
}
