// RUN: stencil-opt %s --stencil-serialize-kernels=format=isa --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --stencil-serialize-kernels=format=elf -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: expected the format isa, bin, fatbin or auto, got 'elf'

// expected-error @+1 {{expected one target, of NVIDIA or AMD; stencil-attach-kernel-targets gives one}}
gpu.module @no_target {
}

// -----

gpu.module @not_lowered [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%x: i32) attributes {nvvm.kernel} {
    // expected-error @+1 {{has no form on NVIDIA GPUs}}
    %0 = math.ipowi %x, %x : i32
    llvm.return
  }
}

// -----

gpu.module @type [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%x: i8) attributes {nvvm.kernel} {
    // expected-error @+1 {{'f8E4M3FN' has no form on NVIDIA GPUs}}
    %0 = builtin.unrealized_conversion_cast %x : i8 to f8E4M3FN
    llvm.return
  }
}

// -----

gpu.module @undefined [#nvvm.target<chip = "sm_90">] {
  llvm.func @missing(f64)
  // expected-error @+1 {{'k' uses 'missing', which is defined nowhere}}
  llvm.func @k(%x: f64) attributes {nvvm.kernel} {
    llvm.call @missing(%x) : (f64) -> ()
    llvm.return
  }
}

// -----

// What the driver provides is no error, and what is not used is none.
gpu.module @provided [#nvvm.target<chip = "sm_90">] {
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @unused()
  llvm.func @k(%p: !llvm.ptr) attributes {nvvm.kernel} {
    %0 = llvm.call @vprintf(%p, %p) : (!llvm.ptr, !llvm.ptr) -> i32
    llvm.return
  }
}

// -----

gpu.module @amd [#rocdl.target<chip = "gfx942">] {
  llvm.func @missing(f64)
  // expected-error @+1 {{'k' uses 'missing', which is defined nowhere}}
  llvm.func @k(%x: f64) attributes {rocdl.kernel} {
    llvm.call @missing(%x) : (f64) -> ()
    llvm.return
  }
}

// -----

// More than the code generator allows; the passes before this one say so earlier.
gpu.module @too_much [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<20000 x f32>
  // expected-error @+1 {{'k': expected at most 65536 bytes of local memory, got 80000}}
  llvm.func @k(%x: f32) attributes {rocdl.kernel} {
    %0 = llvm.mlir.addressof @tile : !llvm.ptr<3>
    llvm.store volatile %x, %0 : f32, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// What LLVM would end the process for: an instruction that the chip has not.
gpu.module @nvidia_select [#nvvm.target<chip = "sm_80">] {
  llvm.func @before() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{'k': LLVM has no instruction of sm_80 for 'llvm.nvvm.tcgen05.relinq.alloc.permit.cg1'}}
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"() : () -> ()
    llvm.return
  }
}

// -----

gpu.module @amd_select [#rocdl.target<chip = "gfx1030">] {
  llvm.func @before() attributes {rocdl.kernel} {
    llvm.return
  }
  // expected-error @+1 {{'k': LLVM has no instruction of gfx1030 for 'llvm.amdgcn.mfma.f32.32x32x2f32'}}
  llvm.func @k(%p: !llvm.ptr<1>, %a: f32) attributes {rocdl.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %c = llvm.load %p : !llvm.ptr<1> -> vector<16xf32>
    %0 = llvm.call_intrinsic "llvm.amdgcn.mfma.f32.32x32x2f32"(%a, %a, %c, %z, %z, %z) : (f32, f32, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
    llvm.store %0, %p : vector<16xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// An operation, not an intrinsic.
gpu.module @operation [#nvvm.target<chip = "sm_80">] {
  // expected-error @+1 {{'k': LLVM has no instruction of sm_80 for 'fcos'}}
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.load %p : !llvm.ptr<1> -> f64
    %1 = llvm.call_intrinsic "llvm.cos.f64"(%0) : (f64) -> f64
    llvm.store %1, %p : f64, !llvm.ptr<1>
    llvm.return
  }
}
