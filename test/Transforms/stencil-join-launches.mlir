// RUN: stencil-opt %s -allow-unregistered-dialect --split-input-file --stencil-join-launches --canonicalize | FileCheck %s
// RUN: stencil-opt %S/Inputs/regions.mlir --stencil-split-regions -o %t.seven
// RUN: stencil-run %t.seven --target emulator --chip sm_90 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=4 --verify
// RUN: stencil-run %t.seven --target emulator --chip gfx942 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=4 --verify

// Two kernels with blocks of one shape: the number of a block says which. What
// both get alike is passed once; what only one of them says of a buffer, twice.
// Bounds of registers are the strictest ones.

// CHECK-LABEL: gpu.module @k
// CHECK: gpu.func @f_regions7(%[[END:.*]]: i64, %[[U:.*]]: memref<f64> {llvm.readonly}, %[[V:.*]]: memref<f64>, %[[U2:.*]]: memref<f64>) workgroup(%[[T:.*]] : memref<64xf64, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.minctasm = 3 : i32, stencil.source = "a.mlir:1"} {
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[E:.*]] = arith.index_cast %[[END]] : i64 to index
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[B]], %[[E]] : index
// CHECK: scf.if %[[FIRST]] {
// CHECK:   %[[X:.*]] = memref.load %[[U]][]
// CHECK:   "test.use"(%[[B]], %[[X]])
// CHECK:   memref.store %[[X]], %[[V]][]
// CHECK: } else {
// CHECK:   %[[REST:.*]] = arith.subi %[[B]], %[[E]] : index
// CHECK:   gpu.barrier
// CHECK:   "test.use"(%[[REST]], %[[T]])
// CHECK:   memref.store %{{.*}}, %[[U2]][]
// CHECK: }
// CHECK-NEXT: gpu.return
// CHECK-NOT: gpu.func
// CHECK-LABEL: func.func @f(
// CHECK: %[[ALL:.*]] = arith.addi %arg2, %c5
// CHECK: gpu.launch_func <%arg3 : !llvm.ptr> @k::@f_regions7 blocks in (%[[ALL]], %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %c4096_i32 args(%{{.*}} : i64, %arg0 : memref<f64>, %arg1 : memref<f64>, %arg0 : memref<f64>)
// CHECK-NOT: gpu.launch_func
#group = #stencil.region_group<7, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a(%u: memref<f64> {llvm.readonly}, %v: memref<f64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.minctasm = 1 : i32, stencil.source = "a.mlir:1"} {
      %x = memref.load %u[] : memref<f64>
      %b = gpu.block_id x
      "test.use"(%b, %x) : (index, f64) -> ()
      memref.store %x, %v[] : memref<f64>
      gpu.return
    }
    gpu.func @b(%u: memref<f64>, %v: memref<f64>) workgroup(%t: memref<64xf64, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.minctasm = 3 : i32} {
      gpu.barrier
      %b = gpu.block_id x
      "test.use"(%b, %t) : (index, memref<64xf64, #gpu.address_space<workgroup>>) -> ()
      %x = memref.load %v[] : memref<f64>
      memref.store %x, %u[] : memref<f64>
      gpu.return
    }
  }
  func.func @f(%u: memref<f64>, %v: memref<f64>, %n: index, %s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %small = arith.constant 1024 : i32
    %large = arith.constant 4096 : i32
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%n, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %small args(%u : memref<f64>, %v : memref<f64>) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c5, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %large args(%u : memref<f64>, %v : memref<f64>) {stencil.region_group = #group}
    return
  }
}

// -----

// Blocks of 8 x 4, of 16 x 2 and of 4 x 4: the second ones are counted through,
// of the third ones half of the threads have nothing to do. Positions and sizes
// are those of the part.

// CHECK-LABEL: gpu.module @k
// CHECK: gpu.func @f_regions0() kernel attributes {known_block_size = array<i32: 8, 4, 1>} {
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[A:.*]] = arith.cmpi ult, %[[B]], %c3{{.*}} : index
// CHECK: scf.if %[[A]] {
// CHECK:   %[[X:.*]] = gpu.thread_id x
// CHECK:   %[[Y:.*]] = gpu.thread_id y
// CHECK:   "test.use"(%[[X]], %[[Y]], %[[B]], %c0{{.*}}, %c8{{.*}}, %c3
// CHECK: } else {
// CHECK:   %[[OWN:.*]] = arith.subi %[[B]], %c3
// CHECK:   %[[IS:.*]] = arith.cmpi ult, %[[B]], %c10
// CHECK:   scf.if %[[IS]] {
// CHECK:     %[[TY:.*]] = gpu.thread_id y
// CHECK:     %[[ROWS:.*]] = arith.muli %[[TY]], %c8
// CHECK:     %[[TX:.*]] = gpu.thread_id x
// CHECK:     %[[N:.*]] = arith.addi %[[ROWS]], %[[TX]]
// CHECK:     %[[X:.*]] = arith.remui %[[N]], %c16
// CHECK:     %[[D:.*]] = arith.divui %[[N]], %c16
// CHECK:     %[[Y:.*]] = arith.remui %[[D]], %c2
// CHECK:     gpu.barrier
// CHECK:     "test.use"(%[[X]], %[[Y]], %[[OWN]], %c0{{.*}}, %c16{{.*}}, %c7
// CHECK:   } else {
// CHECK:     %[[OWN:.*]] = arith.subi %[[B]], %c10
// CHECK:     %[[EXISTS:.*]] = arith.cmpi ult, %{{.*}}, %c16
// CHECK:     scf.if %[[EXISTS]] {
// CHECK-NOT: gpu.thread_id
// CHECK:       "test.use"(%{{.*}}, %{{.*}}, %[[OWN]], %c0{{.*}}, %c4{{.*}}, %c1
// CHECK: gpu.launch_func <%arg0 : !llvm.ptr> @k::@f_regions0 blocks in (%c11, %c1, %c1) threads in (%c8, %c4, %c1)
#group = #stencil.region_group<0, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel {
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %b = gpu.block_id x
      %c = gpu.block_id y
      %d = gpu.block_dim x
      %g = gpu.grid_dim x
      "test.use"(%x, %y, %b, %c, %d, %g) : (index, index, index, index, index, index) -> ()
      gpu.return
    }
    gpu.func @b() kernel {
      gpu.barrier
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %b = gpu.block_id x
      %c = gpu.block_id y
      %d = gpu.block_dim x
      %g = gpu.grid_dim x
      "test.use"(%x, %y, %b, %c, %d, %g) : (index, index, index, index, index, index) -> ()
      gpu.return
    }
    gpu.func @c() kernel {
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %b = gpu.block_id x
      %c = gpu.block_id y
      %d = gpu.block_dim x
      %g = gpu.grid_dim x
      "test.use"(%x, %y, %b, %c, %d, %g) : (index, index, index, index, index, index) -> ()
      gpu.return
    }
  }
  func.func @f(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c3, %c1, %c1) threads in (%c8, %c4, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c7, %c1, %c1) threads in (%c16, %c2, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@c blocks in (%c1, %c1, %c1) threads in (%c4, %c4, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

// Neighbours of as many blocks alternate; one of another number follows.

// CHECK-LABEL: gpu.module @k
// CHECK: gpu.func @f_regions3()
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[PAIR:.*]] = arith.cmpi ult, %[[B]], %c14
// CHECK: scf.if %[[PAIR]] {
// CHECK:   %[[TURN:.*]] = arith.remui %[[B]], %c2
// CHECK:   %[[OWN:.*]] = arith.divui %[[B]], %c2
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[TURN]], %c0
// CHECK:   scf.if %[[FIRST]] {
// CHECK:     "test.a"(%[[OWN]], %c7
// CHECK:   } else {
// CHECK:     "test.b"(%[[OWN]], %c7
// CHECK:   }
// CHECK: } else {
// CHECK:   %[[REST:.*]] = arith.subi %[[B]], %c14
// CHECK:   "test.c"(%[[REST]], %c6
// CHECK: gpu.launch_func <%arg0 : !llvm.ptr> @k::@f_regions3 blocks in (%c20,
#group = #stencil.region_group<3, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel {
      %b = gpu.block_id x
      %g = gpu.grid_dim x
      "test.a"(%b, %g) : (index, index) -> ()
      gpu.return
    }
    gpu.func @b() kernel {
      %b = gpu.block_id x
      %g = gpu.grid_dim x
      "test.b"(%b, %g) : (index, index) -> ()
      gpu.return
    }
    gpu.func @c() kernel {
      %b = gpu.block_id x
      %g = gpu.grid_dim x
      "test.c"(%b, %g) : (index, index) -> ()
      gpu.return
    }
  }
  func.func @f(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c7, %c1, %c1) threads in (%c32, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c7, %c1, %c1) threads in (%c32, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@c blocks in (%c6, %c1, %c1) threads in (%c32, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

// Beside others of the group, which have streams: the joint launch will have one
// as well, and so will a launch that is alone. Those of another block of the
// program are not theirs.

// CHECK-LABEL: func @beside
// CHECK: gpu.launch_func {{.*}} @k::@a {{.*}} {stencil.region_group = #stencil.region_group<4, streams>}
// CHECK-NEXT: gpu.launch_func {{.*}} @k::@beside_regions4 {{.*}} {stencil.region_group = #stencil.region_group<4, streams>}
// CHECK-NEXT: gpu.launch_func {{.*}} @k::@a {{.*}} {stencil.region_group = #stencil.region_group<4, streams>}
// CHECK-NEXT: gpu.launch_func {{.*}} @k::@a {{.*}} {stencil.region_group = #stencil.region_group<5, streams>}
// CHECK-NEXT: gpu.launch_func {{.*}} @k::@a {{.*}} {stencil.region_group = #stencil.region_group<5, streams>}
// CHECK: scf.if
// CHECK-NEXT: gpu.launch_func {{.*}} @k::@beside_regions4_0
// CHECK-NOT: region_group
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @beside(%s: !llvm.ptr, %b: i1) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<4, streams>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<4, launch>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<4, launch>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<4, streams>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<5, launch>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<5, streams>}
    scf.if %b {
      gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<4, launch>}
      gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<4, launch>}
    }
    return
  }
}

// -----

// Left alone: groups of one.

// CHECK-LABEL: func @others
// CHECK: gpu.launch_func {{.*}} @k::@a
// CHECK: gpu.launch_func {{.*}} @k::@a
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @others(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<1, launch>}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #stencil.region_group<2, launch>}
    return
  }
}
