// Where a kernel is to stay straight, a store that a branch is for alone has a predicate instead, and what is stored is computed in front of it.
// RUN: stencil-opt %s --stencil-serialize-kernels=format=isa | FileCheck %s
// RUN: %if ptxas %{ stencil-opt %s --stencil-serialize-kernels=format=bin -o /dev/null %}

gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  // CHECK: .entry rows(
  llvm.func @rows(%v: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %x: f64, %y: f64, %s: f32, %n: i32) attributes {nvvm.kernel, stencil.straight} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %i = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: fma.rn.f64
    // CHECK: @%p{{[0-9]+}} st.global.v2.f64 [%rd{{[0-9]+}}], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
    %first = llvm.icmp "slt" %i, %n : i32
    %sum = llvm.intr.fma(%x, %y, %y) : (f64, f64, f64) -> f64
    %none = llvm.mlir.poison : vector<2xf64>
    %half = llvm.insertelement %sum, %none[%zero : i32] : vector<2xf64>
    %one = llvm.mlir.constant(1 : i32) : i32
    %pair = llvm.insertelement %x, %half[%one : i32] : vector<2xf64>
    llvm.cond_br %first, ^store, ^next
  ^store:
    %at = llvm.getelementptr %v[%i] : (!llvm.ptr, i32) -> !llvm.ptr, vector<2xf64>
    llvm.store %pair, %at {alignment = 16 : i64} : vector<2xf64>, !llvm.ptr
    llvm.br ^next
  ^next:
    // The other way round, and a single element.
    // CHECK: @%p{{[0-9]+}} st.global.f32
    // CHECK-NOT: bra
    %second = llvm.icmp "eq" %i, %n : i32
    llvm.cond_br %second, ^end, ^last
  ^last:
    %behind = llvm.getelementptr %v[4096] : (!llvm.ptr) -> !llvm.ptr, i8
    %here = llvm.getelementptr %behind[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %s, %here {alignment = 4 : i64} : f32, !llvm.ptr
    llvm.br ^end
  ^end:
    // CHECK: ret;
    llvm.return
  }

  // What does more than to store, or not to what the kernel is given, has its branch.
  // CHECK: .entry others(
  llvm.func @others(%u: !llvm.ptr {llvm.noalias, llvm.readonly}, %v: !llvm.ptr {llvm.noalias}, %n: i32) attributes {nvvm.kernel, stencil.straight} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "slt" %i, %n : i32
    // CHECK: @%p{{[0-9]+}} bra
    // CHECK: ld.global
    // CHECK: st.global
    llvm.cond_br %first, ^store, ^next
  ^store:
    %from = llvm.getelementptr %u[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f64
    %x = llvm.load %from : !llvm.ptr -> f64
    %to = llvm.getelementptr %v[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f64
    llvm.store %x, %to : f64, !llvm.ptr
    llvm.br ^next
  ^next:
    // CHECK: @%p{{[0-9]+}} bra
    // CHECK: st.global.b8
    %second = llvm.icmp "sgt" %i, %n : i32
    llvm.cond_br %second, ^byte, ^volatile
  ^byte:
    %b = llvm.trunc %i : i32 to i8
    %place = llvm.getelementptr %v[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %b, %place : i8, !llvm.ptr
    llvm.br ^volatile
  ^volatile:
    // CHECK: @%p{{[0-9]+}} bra
    // CHECK: st.volatile.global.b32
    %third = llvm.icmp "ne" %i, %n : i32
    llvm.cond_br %third, ^stays, ^end
  ^stays:
    llvm.store volatile %i, %v : i32, !llvm.ptr
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Others have branches.
  // CHECK: .entry usual(
  llvm.func @usual(%v: !llvm.ptr {llvm.noalias}, %x: f64, %n: i32) attributes {nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "slt" %i, %n : i32
    // CHECK: @%p{{[0-9]+}} bra
    // CHECK: st.global.b64
    llvm.cond_br %first, ^store, ^end
  ^store:
    %at = llvm.getelementptr %v[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f64
    llvm.store %x, %at : f64, !llvm.ptr
    llvm.br ^end
  ^end:
    llvm.return
  }
}
