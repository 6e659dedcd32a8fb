// Loads of what a kernel only reads become assembly, when LLVM has merged them.
// RUN: stencil-opt %s --stencil-serialize-kernels=format=isa | FileCheck %s
// RUN: %if ptxas %{ stencil-opt %s --stencil-serialize-kernels=format=bin -o /dev/null %}

gpu.module @kernels [#nvvm.target<chip = "sm_80", features = "+ptx74">] {
  // CHECK: .entry last(
  llvm.func @last(%u: !llvm.ptr {llvm.noalias, llvm.readonly, llvm.align = 32 : i64}, %v: !llvm.ptr {llvm.noalias}, %w: !llvm.ptr {llvm.readonly}) attributes {nvvm.kernel, passthrough = [["stencil.eviction", "last"]]} {
    // CHECK: mov.b64 \09[[LAST:%rd[0-9]+]], 1508705875169116160;
    // CHECK: ld.global.nc.L2::cache_hint.f64 %{{[a-z0-9]+}}, [%{{[a-z0-9]+}}], [[LAST]];
    %x = llvm.load %u : !llvm.ptr -> f64
    llvm.store volatile %x, %v : f64, !llvm.ptr
    // CHECK: ld.global.nc.L2::cache_hint.v2.f64 {%{{[a-z0-9]+}}, %{{[a-z0-9]+}}}, [%{{[a-z0-9]+}}], [[LAST]];
    %at1 = llvm.getelementptr %u[16] : (!llvm.ptr) -> !llvm.ptr, i8
    %y = llvm.load %at1 {alignment = 16 : i64} : !llvm.ptr -> vector<2xf64>
    llvm.store volatile %y, %v : vector<2xf64>, !llvm.ptr
    // Two floats side by side are one load, and so are three of four.
    // CHECK: ld.global.nc.L2::cache_hint.v2.f32
    %at2 = llvm.getelementptr %u[32] : (!llvm.ptr) -> !llvm.ptr, i8
    %at3 = llvm.getelementptr %u[36] : (!llvm.ptr) -> !llvm.ptr, i8
    %f0 = llvm.load %at2 : !llvm.ptr -> f32
    %f1 = llvm.load %at3 : !llvm.ptr -> f32
    llvm.store volatile %f0, %v : f32, !llvm.ptr
    llvm.store volatile %f1, %v : f32, !llvm.ptr
    // CHECK: ld.global.nc.L2::cache_hint.v4.f32
    %at4 = llvm.getelementptr %u[64] : (!llvm.ptr) -> !llvm.ptr, i8
    %at5 = llvm.getelementptr %u[68] : (!llvm.ptr) -> !llvm.ptr, i8
    %at6 = llvm.getelementptr %u[72] : (!llvm.ptr) -> !llvm.ptr, i8
    %f2 = llvm.load %at4 : !llvm.ptr -> f32
    %f3 = llvm.load %at5 : !llvm.ptr -> f32
    %f4 = llvm.load %at6 : !llvm.ptr -> f32
    llvm.store volatile %f2, %v : f32, !llvm.ptr
    llvm.store volatile %f3, %v : f32, !llvm.ptr
    llvm.store volatile %f4, %v : f32, !llvm.ptr
    // Small elements are loaded as words.
    // CHECK: ld.global.nc.L2::cache_hint.v4.b32
    %at7 = llvm.getelementptr %u[96] : (!llvm.ptr) -> !llvm.ptr, i8
    %h = llvm.load %at7 {alignment = 16 : i64} : !llvm.ptr -> vector<8xf16>
    llvm.store volatile %h, %v : vector<8xf16>, !llvm.ptr
    // CHECK: ld.global.nc.L2::cache_hint.b16
    %at8 = llvm.getelementptr %u[128] : (!llvm.ptr) -> !llvm.ptr, i8
    %b = llvm.load %at8 : !llvm.ptr -> bf16
    llvm.store volatile %b, %v : bf16, !llvm.ptr
    // CHECK: ld.global.nc.L2::cache_hint.b8
    %at9 = llvm.getelementptr %u[160] : (!llvm.ptr) -> !llvm.ptr, i8
    %c = llvm.load %at9 : !llvm.ptr -> i8
    llvm.store volatile %c, %v : i8, !llvm.ptr
    // What is not aligned comes in pieces.
    // CHECK-COUNT-2: ld.global.nc.L2::cache_hint.f64
    %at10 = llvm.getelementptr %u[200] : (!llvm.ptr) -> !llvm.ptr, i8
    %z = llvm.load %at10 {alignment = 8 : i64} : !llvm.ptr -> vector<2xf64>
    llvm.store volatile %z, %v : vector<2xf64>, !llvm.ptr
    // What the kernel may write.
    // CHECK-NOT: cache_hint
    %p = llvm.load %v : !llvm.ptr -> f64
    %q = llvm.load %w : !llvm.ptr -> f64
    %s = llvm.fadd %p, %q : f64
    llvm.store volatile %s, %v : f64, !llvm.ptr
    llvm.return
  }

  llvm.func @normal(%u: !llvm.ptr {llvm.noalias, llvm.readonly}, %v: !llvm.ptr {llvm.noalias}) attributes {nvvm.kernel} {
    %x = llvm.load %u : !llvm.ptr -> f64
    llvm.store %x, %v : f64, !llvm.ptr
    llvm.return
  }
}
