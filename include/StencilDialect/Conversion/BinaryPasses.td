//===- BinaryPasses.td - Kernels to binaries, hosts to LLVM *- tablegen -*-===//

#ifndef STENCILDIALECT_CONVERSION_BINARYPASSES_TD
#define STENCILDIALECT_CONVERSION_BINARYPASSES_TD

include "mlir/Pass/PassBase.td"

def StencilAttachKernelTargets
    : Pass<"stencil-attach-kernel-targets", "::mlir::ModuleOp"> {
  let summary = "say which GPU the kernels are for, and check that they fit";
  let description = [{
    Gives every `gpu.module` a `#nvvm.target` or `#rocdl.target` for the GPU of
    the module's attribute `stencil.target` (`stencil-attach-target`).
    Kernels that no launch could run on it are errors: more threads in a block,
    more static shared memory or more registers than it has, or more blocks on a
    multiprocessor (`nvvm.minctasm`) than fit. For AMD, `nvvm.minctasm` becomes
    `rocdl.waves_per_eu`.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect"];
  let options = [
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "LLVM's and ptxas' optimisations: 0 to 3">
  ];
}

def StencilLowerKernelsToROCDL
    : Pass<"stencil-lower-kernels-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "convert-gpu-to-rocdl for the chip of the kernels' target";
  let description = [{
    Runs upstream's `convert-gpu-to-rocdl` with the option `chipset` from the
    `#rocdl.target` of the `gpu.module`, which `stencil-attach-kernel-targets`
    gives it, with bare pointers and HIP's functions.
  }];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::ROCDL::ROCDLDialect"];
}

def StencilLowerDeviceMath
    : Pass<"stencil-lower-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "math that GPUs have instructions for to LLVM intrinsics";
  let description = [{
    `math.floor`, `math.fma`, `math.sqrt` and others like them become calls of
    LLVM intrinsics, so that only the rest (`math.exp`) needs a library of the
    vendor.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"rocm", "rocm", "bool", /*default=*/"false",
           "call functions of ROCm's library for the rest">
  ];
}

def StencilLowerScalarMath : Pass<"stencil-lower-scalar-math"> {
  let summary = "what upstream's conversions of arith and math lack";
  let description = [{
    - `arith.maxnumf` and `minnumf` become intrinsics of LLVM that take -0 for
      less than +0, as `maximumf` and `minimumf` do, which stay; the divisions
      that round up or down, and conversions between f32 and bf16, are expanded
      as `arith-expand` does.
    - Tests (`math.isnan`, `isinf`, `isfinite`, `isnormal`) become comparisons.
    - `math.ipowi` becomes products in a loop over the bits of the exponent;
      `math.fpowi` products if the exponent is a small constant, else
      `math.powf` in f64.
    - On a host, `math.fma` with the flag `contract`, which is a sum that may be
      rounded once, becomes `llvm.intr.fmuladd`: two operations where there is
      no instruction for both. Of f16 it stays: LLVM has it in f32 there.
    - On a host, arithmetic on bf16 is done in f32, and rounded by integer
      arithmetic, which keeps denormal numbers; `math.expm1` and `log1p` call
      the C library.
    - For a device, `math.sincos` and conversions of floats to i1 are taken
      apart.

    Runs before `scf` is lowered.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"device", "device", "bool", /*default=*/"false",
           "for kernels of a GPU, which has bf16 and functions of its own">
  ];
}

def StencilLowerEvictions
    : Pass<"stencil-lower-evictions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "hints to the second-level cache of NVIDIA's GPUs";
  let description = [{
    In a kernel with `stencil.eviction = "last"` (the key `eviction` of
    [`#stencil.schedule`](Dialect.md#scheduleattr)), what is read gets a policy
    by which the cache gives up its lines last (PTX: `.L2::cache_hint`,
    `evict_last`): copies of the tensor memory accelerator and `cp.async` to
    shared memory here. Loads of arguments that are `llvm.noalias` and
    `llvm.readonly` get it when LLVM has merged them; the kernel passes the
    attribute on. Runs when kernels are functions of the LLVM dialect.

    ```mlir
    nvvm.cp.async.shared.global %s, %u, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    ==>
    %last = llvm.mlir.constant(1508705875169116160 : i64) : i64
    llvm.inline_asm has_side_effects "cp.async.cg.shared.global.L2::cache_hint [$0], [$1], 16, $2;", "l,l,l,~{memory}" %s, %u, %last : (!llvm.ptr<3>, !llvm.ptr<1>, i64) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilLowerPrefetches
    : Pass<"stencil-lower-prefetches", "::mlir::gpu::GPUModuleOp"> {
  let summary = "prefetches that NVIDIA's GPUs have an instruction for";
  let description = [{
    `llvm.intr.prefetch` of global memory becomes `nvvm.prefetch` into the
    second-level cache: LLVM's back end for NVIDIA's GPUs makes nothing of the
    former. Where that is none for the chip of the module's target, before sm_90,
    the instruction is written as text.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def StencilLowerLaunches
    : Pass<"stencil-lower-launches", "::mlir::ModuleOp"> {
  let summary = "launches that take bare pointers and sizes of i64";
  let description = [{
    `gpu-to-llvm` keeps the stream of a `gpu.launch_func` only if the op needs no
    conversion. Its memrefs become `!llvm.ptr` here, index becomes i64. For
    kernels that have been lowered with bare pointers. Declarations of functions
    come first, where that pass finds those of the runtime. The module's
    `stencil.target` is removed.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect"];
}

def StencilLowerTensorMaps
    : Pass<"stencil-lower-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "descriptors of TMA as arguments of kernels, by value";
  let description = [{
    `nvgpu.tma.create.descriptor` becomes a call of `mgpuTensorMapEncodeTiled` on
    memory of the calling function, with the extents and strides that the memref
    has then, and the launches that have the descriptor as operand get its 128
    bytes by value. Nothing is allocated on the device and nothing waits for it,
    so that descriptors can be made in time loops and while a graph is recorded.

    ```mlir
    %d = nvgpu.tma.create.descriptor %u box[%c1, %c18, %c132] : memref<*xf64> -> !map
    gpu.launch_func @m::@k ... args(%d : !map)
    gpu.func @k(%d: !map) kernel {
    ==>
    call @mgpuTensorMapEncodeTiled(%slot, ...)
    %d = llvm.load %slot : !llvm.ptr -> !llvm.array<16 x i64>
    gpu.launch_func @m::@k ... args(%d : !llvm.array<16 x i64>)
    gpu.func @k(%a: !llvm.array<16 x i64>) kernel {
      %d = builtin.unrealized_conversion_cast %a : !llvm.array<16 x i64> to !map
    ```

    Errors: a descriptor that does not go from its op to launches, a tensor or a
    box that no descriptor can be for, as far as it is known.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

def StencilReferenceArguments
    : Pass<"stencil-reference-arguments", "::mlir::gpu::GPUModuleOp"> {
  let summary = "arguments whose address a kernel uses stay where they are";
  let description = [{
    An argument that is an array and is only cast (by
    `builtin.unrealized_conversion_cast`) becomes a pointer to the argument, for
    NVIDIA: `llvm.byval`, aligned to 64 bytes, and `nvvm.grid_constant`, which
    says that nobody writes to it, so that no thread needs a copy.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def StencilDeclareDynamicMemory
    : Pass<"stencil-declare-dynamic-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "dynamic shared memory is the launch's, not the kernel's";
  let description = [{
    The lowering of `gpu.dynamic_shared_memory` defines an internal array without
    elements: LLVM gives it a place among the static arrays, so that it overlaps
    the next. Here it becomes a declaration, which stands for what the launch
    adds behind the static arrays, aligned to 128 bytes, as TMA needs.

    ```mlir
    llvm.mlir.global internal @s() {addr_space = 3, alignment = 16} : !llvm.array<0 x i8>
    ==>
    llvm.mlir.global external @s() {addr_space = 3, alignment = 128} : !llvm.array<0 x i8>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilRequestCInterfaces
    : Pass<"stencil-request-c-interfaces", "::mlir::func::FuncOp"> {
  let summary = "a C interface for every public function that has a body";
  let description = [{
    `_mlir_ciface_NAME`, as `llvm-request-c-wrappers`, but not for functions of
    the runtime that are only declared.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilSerializeKernels
    : Pass<"stencil-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "gpu.module to gpu.binary";
  let description = [{
    Compiles every `gpu.module`, lowered to the LLVM dialect and with one target,
    to a `gpu.binary` of one object. Unlike `gpu-module-to-binary`, functions that
    remain undefined are errors that name them, errors of ptxas are reported at
    the kernel, and the registers, spills and memory of each kernel are in the
    kernel table of the object.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"fatbin\"",
           "isa (PTX or AMD assembly), bin (cubin or HSACO), fatbin (cubin and "
           "PTX; for AMD, HSACO) or auto (fatbin, or PTX if there is no ptxas)">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "directory of the CUDA toolkit or of ROCm; default: searched for">
  ];
}

#endif // STENCILDIALECT_CONVERSION_BINARYPASSES_TD
