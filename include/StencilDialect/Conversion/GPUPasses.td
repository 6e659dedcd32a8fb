//===- GPUPasses.td - Programs to kernels of a GPU ---------*- tablegen -*-===//

#ifndef STENCILDIALECT_CONVERSION_GPUPASSES_TD
#define STENCILDIALECT_CONVERSION_GPUPASSES_TD

include "StencilDialect/IR/MathOption.td"
include "mlir/Pass/PassBase.td"

def StencilMapToTensorCores : Pass<"stencil-map-to-tensor-cores", "::mlir::func::FuncOp"> {
  let summary = "sums of pipelines with 'engine = mma' to products of matrices";
  let description = [{
    In a pipeline with `engine = mma`, a `stencil.weighted_sum` with constant weights over an input in a shared window gets the attribute
    `stencil.matrix_product`: the matrix instruction, the patch of outputs that a row of A serves, and the axis along which patches lie side by side (`#tile.mma`;
    docs/tensor-cores.md). Of all that the GPU and the tile allow, those that take the least time are chosen: that of the products at the rate of the matrix unit, or that of the
    loads from shared memory, whichever is longer.

    Before:
    ```mlir
    %s = stencil.weighted_sum %x offsets [...] weights dense<...> : tensor<49xf64> : !temp
    ```
    After:
    ```mlir
    %s = stencil.weighted_sum %x offsets [...] weights dense<...> : tensor<49xf64> attributes {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [4, 2], along = 1>} : !temp
    ```
    The sum is computed in another order, so that `math` must be `reassociate`. What cannot be a product of matrices is an error with its reason.

    Needs pipelines whose tiles are known (`stencil-tile-registers`), in a module with the attribute `stencil.target` (`stencil-attach-target`).
  }];
  let dependentDialects = ["::stencil::tile::TileDialect"];
  let options = [
    MathOption<"what may be done to floating-point arithmetic">
  ];
}

// On the module: a field's aliases are followed into other functions.
def StencilMapStages : Pass<"stencil-map-stages", "::mlir::ModuleOp"> {
  let summary = "pipelines, bufferised applies, boundaries and folds to kernels of tiles";
  let description = [{
    Each `stencil.pipeline`, each bufferised `stencil.apply` outside of one, each `stencil.boundary` (with those behind it that do the same to
    other fields; one for each axis if values are extrapolated) and each `stencil.fold` of fields becomes a `tile.kernel` (docs/tiles.md, form 4a): how blocks cut the domain, what is in
    shared memory, which plane is fetched where in an iteration, and what threads
    carry from one to the next is decided here.

    Before:
    ```mlir
    stencil.apply(%x = %u : !stencil.field<[-1,65]xf64>) outs (%v : !stencil.field<[-1,65]xf64>) { ... } to <[0], [64]>
    ```
    After:
    ```mlir
    tile.kernel @apply0(%a = %u : !stencil.field<[-1,65]xf64>, %b = %v : !stencil.field<[-1,65]xf64>) grid <domain = <[0], [64]>, block = [64], points = [1]> {
      %s = tile.source %a : !stencil.field<[-1,65]xf64> -> !stencil.temp<?xf64>
      tile.where {
        %r = stencil.apply(%x = %s : !stencil.temp<?xf64>) -> (!stencil.temp<[0,64]xf64>) { ... }
        tile.store %r to %b : !stencil.temp<[0,64]xf64> to !stencil.field<[-1,65]xf64>
      }
    }
    ```
    A kernel obeys the `stencil.schedule` of its apply or pipeline, which says how it is cut: an apply without `block` and `points` is an
    error (`stencil-tile-applies` gives it both).

    Needs bufferised programs (`stencil-bufferize`), with the functions that take fields inlined, in a module with the attribute
    `stencil.target` (`stencil-attach-target`). Barriers are placed by `stencil-place-barriers`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::ub::UBDialect",
    "::stencil::tile::TileDialect"];
}

// On the module: it gets a gpu.module for each function.
def StencilDistributeTiles : Pass<"stencil-distribute-tiles", "::mlir::ModuleOp"> {
  let summary = "kernels of tiles to kernels of threads";
  let description = [{
    Each `tile.kernel` (docs/tiles.md; a walk has been expanded to loops) becomes a kernel in the `gpu.module` of its
    function, and a `stencil.launch` of it: copies are dealt out to the threads of a block, rings become shared memory, values on boxes
    the registers of the threads that hold their points. Nothing is decided here.

    Before:
    ```mlir
    tile.kernel @scale(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [64], points = [1]> {
      %x = tile.source %a : !field -> !stencil.temp<?xf64>
      tile.where { ... tile.store %r to %b : !stencil.temp<[0,64]xf64> to !field }
    }
    ```
    After:
    ```mlir
    stencil.launch @f_kernels::@f_scale0 blocks(%c1) threads [64, 1, 1] args(%u : !field read, %v : !field write)
    ```
    A field is a linear buffer there, whose rows are padded, so that the first interior point of each lies on 32 bytes; it has no
    memory yet (`stencil-place-fields`). In a function with the attribute `stencil.device_arrays`, fields are dense, that is, rows have no gaps.
    Where the extents do not say that rows are aligned, accesses are narrower, and TMA is an error.

    A kernel that does not walk has its barriers (`stencil-place-barriers`); so has a walk that was expanded.

    Needs a module with the attribute `stencil.target` (`stencil-attach-target`), if there are such kernels.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect",
    "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect"];
  let options = [
    MathOption<"what may be done to floating-point arithmetic">
  ];
}

def StencilPlaceFields : Pass<"stencil-place-fields", "::mlir::ModuleOp"> {
  let summary = "gives fields memory on the GPU, and kernels a stream";
  let description = [{
    What is left of a program when its kernels are made becomes the host's side:
    fields of the caller are copied to the device on entry and back on return,
    in between the host launches. Kernels are not looked at: `stencil.launch`
    and the ops that make its arguments say all that is needed.

    Before:
    ```mlir
    stencil.launch @f_kernels::@f_apply0 blocks(%1) threads [64, 1, 1] args(%u : !stencil.field<[-1,65]xf64> read, %v : !stencil.field<[-1,65]xf64> write)
    ```
    After:
    ```mlir
    gpu.launch_func <%stream : !llvm.ptr> @f_kernels::@f_apply0 blocks in (%1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<72xf64>, %b : memref<72xf64>)
    ```
    In a function with the attribute `stencil.device_arrays`, the fields that it
    is given are arrays on the device already: kernels work in place. The
    caller's stream is used if it has set one, and only waited for if the host
    needs a result.

    Needs programs whose kernels are made, as `stencil-distribute-tiles` does,
    in a module with the attribute `stencil.target`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"emulate", "emulate", "bool", /*default=*/"false",
           "the program is to run in the emulator">
  ];
}

def StencilRequestDeviceArrays
    : Pass<"stencil-request-device-arrays", "::mlir::func::FuncOp"> {
  let summary = "functions whose fields are arrays on the GPU";
  let description = [{
    Gives every function that has a body the attribute `stencil.device_arrays`,
    which `stencil-distribute-tiles` and `stencil-place-fields` obey.

    ```mlir
    func.func @f(%u: !stencil.field<?xf64>) { ... }
    ==>
    func.func @f(%u: !stencil.field<?xf64>) attributes {stencil.device_arrays} { ... }
    ```
  }];
}

def ConvertGPUToEmulator
    : Pass<"convert-gpu-to-emulator", "::mlir::ModuleOp"> {
  let summary = "GPU kernels to code of the CPU that runs in the emulator";
  let description = [{
    Dissolves every gpu.module. A kernel becomes a function that runs one thread
    and asks the emulator (`runtime/emulator`) who it is; barriers, shuffles,
    asynchronous copies and matrix instructions become calls. The kernels of a
    module are listed in a constant, its image, and gpu.launch_func becomes a
    call of `mgpuLaunchKernel` with the image's kernel.

    ```mlir
    gpu.func @k(%a: memref<64xf64>) kernel {
      %x = gpu.thread_id x
      gpu.barrier
    ==>
    llvm.func internal @kernels.k(%params: !llvm.ptr) {
      %x = llvm.call @stencilEmulatorId(%thread_x) : (i32) -> i64
      llvm.call @stencilEmulatorBarrier(%location) : (!llvm.ptr) -> ()
    ```

    What an option does not say is taken from the module's `stencil.target`, if
    it has one; it is removed. Public functions get a C interface
    (`llvm.emit_c_interface`).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", /*default=*/"0",
           "lanes of a warp, 32 or 64; 0: the target's, or 32">,
    Option<"sharedMemory", "shared-memory", "uint64_t", /*default=*/"0",
           "bytes of shared memory that a block can have; 0: the target's, or "
           "227 KiB">
  ];
}

def StencilCheckEmulatorAccesses
    : Pass<"stencil-check-emulator-accesses", "::mlir::ModuleOp"> {
  let summary = "a check before every access to memory of an emulated kernel";
  let description = [{
    Inserts a call of `stencilEmulatorCheck`, with the address, the number of
    bytes, the alignment and the location, before every access in the functions
    that `convert-gpu-to-emulator` made. Needs them in the LLVM dialect.

    What is loaded only to be stored to shared memory need not have a value:
    `stencilEmulatorHasValue` and `stencilEmulatorMoveValue` take along whether
    it has, so that who uses it there is found.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // STENCILDIALECT_CONVERSION_GPUPASSES_TD
