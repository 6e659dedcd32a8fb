// What the host is told of kernels: fields and scalars of the program, and what
// is done with them. No device memory, no stream.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-tile-applies --stencil-map-stages --stencil-place-barriers --stencil-expand-walks --stencil-distribute-tiles --cse --split-input-file | FileCheck %s --implicit-check-not=gpu.alloc --implicit-check-not=gpu.launch_func

// A kernel's arguments in the order of the launch's: inputs, scalars, outputs.

// CHECK-LABEL: gpu.module @scale_kernels
// CHECK: gpu.func @scale_apply0(%{{.*}}: memref<64xf64> {llvm.align = 32 : i32, llvm.noalias, llvm.readonly}, %{{.*}}: f64, %{{.*}}: memref<64xf64> {llvm.align = 32 : i32, llvm.noalias}) kernel
// CHECK: func.func @scale(%[[U:.*]]: !stencil.field<[0,64]xf64>, %[[V:.*]]: !stencil.field<[0,64]xf64>, %[[C:.*]]: f64)
// CHECK-NEXT: %[[BLOCKS:.*]] = arith.constant 1 : index
// CHECK-NEXT: stencil.launch @scale_kernels::@scale_apply0 blocks(%[[BLOCKS]]) threads [32, 1, 1] align 16 args(%[[U]] : !stencil.field<[0,64]xf64> read, %[[C]] : f64, %[[V]] : !stencil.field<[0,64]xf64> write)
// CHECK-NEXT: return
func.func @scale(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>, %c: f64) {
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>, %s = %c : f64) outs (%v : !stencil.field<[0,64]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [32], points = [2]>} {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    %b = arith.mulf %a, %s : f64
    stencil.return %b : f64
  } to <[0], [64]>
  return
}

// -----

// Extents that are known at run time only: the size of the buffer and N0 are
// arguments. What is read and written is one argument, by whichever name.

// CHECK-LABEL: func.func @open
// CHECK-SAME: attributes {stencil.minimal_extents = array<i64: {{[0-9]+}}>}
// CHECK: %[[F:.*]] = stencil.cast
// CHECK: %[[SIZE:.*]] = stencil.buffer_size %[[F]] : !stencil.field<[-1,?+1]xf64>
// CHECK: %[[SIZE64:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK: %[[N:.*]] = stencil.extent 0
// CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: stencil.launch @open_kernels::@open_apply0 {{.*}} args(%[[SIZE64]] : i64, %[[F]] : !stencil.field<[-1,?+1]xf64> readwrite, %[[N64]] : i64)
func.func @open(%u: !stencil.field<?xf64>) {
  %f = stencil.cast %u : !stencil.field<?xf64> -> !stencil.field<[-1,?+1]xf64>
  %g = stencil.cast %f : !stencil.field<[-1,?+1]xf64> -> !stencil.field<[-1,?+1]xf64>
  stencil.apply(%x = %f : !stencil.field<[-1,?+1]xf64>) outs (%g : !stencil.field<[-1,?+1]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[-1,?+1]xf64>
    stencil.return %a : f64
  } to <[0], [?]>
  return
}

// -----

// Tensor maps are of fields; shared memory is asked for.

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK-LABEL: func.func @star
// CHECK-SAME: (%[[U:.*]]: !stencil.field<[-1,65]x[-1,65]xf64>, %[[V:.*]]:
// CHECK: %[[MAP:.*]] = stencil.tensor_map %[[U]] : !stencil.field<[-1,65]x[-1,65]xf64> -> !nvgpu.tensormap.descriptor<tensor = memref<10x36xf64, #gpu.address_space<workgroup>>
// CHECK: stencil.launch @star_kernels::@star_pipeline0 {{.*}} threads [32, 8, 1] shared 2944 align 16 args(%[[U]] : !stencil.field<[-1,65]x[-1,65]xf64> read, %[[V]] : !stencil.field<[-1,65]x[-1,65]xf64> write, %[[MAP]] : !nvgpu.tensormap.descriptor
func.func @star(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [8, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x prefetch tma : !temp
    %s = stencil.apply(%a = %w : !temp) -> (!temp) {
      %p = stencil.access %a[-1, 0] : !temp
      %q = stencil.access %a[1, 1] : !temp
      %r = arith.addf %p, %q : f64
      stencil.return %r : f64
    }
    stencil.store %s to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// Fields with one boundary are filled by one launch.

// CHECK-LABEL: func.func @halos
// CHECK-SAME: (%[[U:.*]]: !stencil.field<[-1,65]xf64>, %[[V:.*]]:
// CHECK: stencil.launch @halos_kernels::@halos_boundary0 blocks(%{{.*}}) threads [128, 1, 1] args(%[[U]] : !stencil.field<[-1,65]xf64> readwrite, %[[V]] : !stencil.field<[-1,65]xf64> readwrite)
// CHECK-NEXT: return
func.func @halos(%u: !stencil.field<[-1,65]xf64>, %v: !stencil.field<[-1,65]xf64>) {
  stencil.boundary %u(<[0], [64]>) [#stencil.periodic] : !stencil.field<[-1,65]xf64>
  stencil.boundary %v(<[0], [64]>) [#stencil.periodic] : !stencil.field<[-1,65]xf64>
  return
}

// -----

// A fold's kernels hand each other partial results; the host asks for the last.

// CHECK-LABEL: func.func @largest
// CHECK-SAME: (%[[U:.*]]: !stencil.field<[0,512]xf32>) -> f32
// CHECK: %[[PARTS:.*]] = stencil.scratch : memref<2048xf64>
// CHECK: %[[LAST:.*]] = stencil.scratch : memref<1xf64>
// CHECK: stencil.launch @largest_kernels::@largest_fold0 blocks(%c2) threads [256, 1, 1] args(%[[U]] : !stencil.field<[0,512]xf32> read, %[[PARTS]] : memref<2048xf64> write)
// CHECK: stencil.launch @largest_kernels::@largest_fold1 blocks(%c1) threads [256, 1, 1] args(%[[PARTS]] : memref<2048xf64> read, %[[LAST]] : memref<1xf64> write)
// CHECK: %[[R:.*]] = stencil.fetch %[[LAST]] : memref<1xf64>
// CHECK: arith.truncf %[[R]] : f64 to f32
func.func @largest(%u: !stencil.field<[0,512]xf32>) -> f32 {
  %r = stencil.fold %u(<[0], [512]>) max : !stencil.field<[0,512]xf32>
  return %r : f32
}

// -----

// Errors that kernels find: one word of the function, with all messages.

// CHECK-LABEL: gpu.module @divide_kernels
// CHECK: memref.atomic_rmw assign %c1_i32
// CHECK: memref.atomic_rmw assign %c2_i32
// CHECK: func.func @divide
// CHECK: %[[WORD:.*]] = stencil.error_word ["{{.*}}kernels.mlir{{.*}}division{{.*}}", "{{.*}}kernels.mlir{{.*}}division{{.*}}"] : memref<1xi32>
// CHECK: stencil.launch @divide_kernels::@divide_apply0 {{.*}}%[[WORD]] : memref<1xi32> write)
// CHECK: stencil.launch @divide_kernels::@divide_apply1 {{.*}}%[[WORD]] : memref<1xi32> write)
func.func @divide(%u: !stencil.field<[0,8]xi32>, %v: !stencil.field<[0,8]xi32>) {
  stencil.apply(%x = %u : !stencil.field<[0,8]xi32>) outs (%v : !stencil.field<[0,8]xi32>) {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xi32>
    %b = arith.divui %a, %a : i32
    stencil.return %b : i32
  } to <[0], [8]>
  stencil.apply(%x = %v : !stencil.field<[0,8]xi32>) outs (%u : !stencil.field<[0,8]xi32>) {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xi32>
    %b = arith.remui %a, %a : i32
    stencil.return %b : i32
  } to <[0], [8]>
  return
}

// -----

// What can be launched together stays marked.

// CHECK-LABEL: func.func @group
// CHECK: stencil.launch {{.*}} attributes {stencil.region_group = #stencil.region_group<0, launch>}
func.func @group(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) attributes {stencil.region_group = #stencil.region_group<0, launch>} {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

// A boundary that fills nothing needs no kernel, and a program without kernels
// no module.

// CHECK-NOT: gpu.module
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%u: !stencil.field<[0,64]xf64>) {
  stencil.boundary %u(<[0], [64]>) [#stencil.keep] : !stencil.field<[0,64]xf64>
  return
}
