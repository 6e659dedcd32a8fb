// RUN: stencil-opt %s --split-input-file --stencil-overlap-launches --verify-diagnostics

#group = #stencil.region_group<0, streams>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @f(%s: !llvm.ptr, %t: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    // expected-error@+1 {{expected a launch to the stream of the other regions, without tokens, to be overlapped}}
    gpu.launch_func <%t : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

#group = #stencil.region_group<0, streams>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func private @look()
  func.func @f(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    // expected-error@+1 {{expected nothing but launches between those of the regions of a sweep}}
    func.call @look() : () -> ()
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

#group = #stencil.region_group<0, streams>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{expected a launch to the stream of the other regions, without tokens, to be overlapped}}
    gpu.launch_func @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    gpu.launch_func @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}

// -----

// Beside launches of other streams nobody knows what runs.
#group = #stencil.region_group<0, streams>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a() kernel { gpu.return }
  }
  func.func @f(%s: !llvm.ptr, %t: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    // expected-error@+1 {{expected nothing but launches between those of the regions of a sweep}}
    gpu.launch_func <%t : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func <%s : !llvm.ptr> @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {stencil.region_group = #group}
    return
  }
}
