// RUN: stencil-opt %s --split-input-file --stencil-join-launches --verify-diagnostics

// Half of the threads of the other block would not come to the barrier.

#group = #stencil.region_group<0, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
    gpu.func @b() kernel {
      gpu.barrier
      gpu.return
    }
  }
  func.func @f(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    // expected-note@+1 {{the other region is here}}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) {stencil.region_group = #group}
    // expected-error@+1 {{expected blocks of 64 threads, as another region of the same launch has, got 32, which wait for each other: say 'block' in the schedules}}
    gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

#group = #stencil.region_group<0, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
    gpu.func @b() kernel {
      // expected-error@+1 {{has no lowering in a kernel that is joined with others: expected gpu.thread_id, gpu.block_id, gpu.block_dim or gpu.grid_dim}}
      %g = gpu.global_id x
      gpu.return
    }
  }
  func.func @f(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

#group = #stencil.region_group<0, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @f(%s: !llvm.ptr, %n: index) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{expected a grid along x, to be joined with others}}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %n, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

#group = #stencil.region_group<0, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @f(%s: !llvm.ptr, %n: index) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{expected blocks of a constant size, to be joined with others}}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

#group = #stencil.region_group<0, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @f(%s: !llvm.ptr, %t: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    // expected-error@+1 {{expected a launch of one module to one stream, without tokens and clusters, to be joined with others}}
    gpu.launch_func <%t : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

#group = #stencil.region_group<0, launch>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel {
      cf.br ^next
    ^next:
      gpu.return
    }
  }
  func.func @f(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{expected a kernel of one block, to be joined with others}}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}
