//===- GPUPipelines.h - Level 4 to binaries ---------------------*- C++ -*-===//

#ifndef STENCILDIALECT_PIPELINES_GPUPIPELINES_H
#define STENCILDIALECT_PIPELINES_GPUPIPELINES_H

#include "StencilDialect/Pipelines/Algebra.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>

namespace stencil {

/// Options of the tails of `stencil-to-nvvm` and `stencil-to-rocdl`.
struct GPUBinaryPipelineOptions
    : mlir::PassPipelineOptions<GPUBinaryPipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("GPU to compile for, such as sm_90 or gfx942; default: "
                     "the module's stencil.target")};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc(
          "llvm (the LLVM dialect; nothing is compiled), isa (PTX or "
          "AMD assembly), bin (cubin or HSACO), fatbin (cubin and "
          "PTX; for AMD, HSACO) or auto (fatbin, or PTX if there is "
          "no ptxas)"),
      llvm::cl::init("auto")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("directory of the CUDA toolkit or of ROCm; default: "
                     "searched for")};
  Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("LLVM's and ptxas' optimisations: 0 to 3"),
      llvm::cl::init(3)};
};

/// Options of `stencil-to-nvvm` and `stencil-to-rocdl`.
struct StencilToGPUPipelineOptions : GPUBinaryPipelineOptions {
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("#stencil.schedule of applies that have none, or the name "
                     "of one")};
  Option<std::string> tuningDatabase{
      *this, "tuning-db",
      llvm::cl::desc("file of schedules that stencil-tune has measured")};
  ListOption<int64_t> extents{
      *this, "extents",
      llvm::cl::desc("interior points per axis, if they are known; 0 for an "
                     "axis whose are not")};
  Option<bool> countSteps{
      *this, "count-steps",
      llvm::cl::desc("let the loops of the program say how far they are"),
      llvm::cl::init(false)};
  Option<bool> deviceArrays{
      *this, "device-arrays",
      llvm::cl::desc(
          "fields are arrays of the caller in the memory of the GPU, "
          "row-major without gaps"),
      llvm::cl::init(false)};
  AlgebraPipelineOptions algebra{*this};
};

/// Level 0 to binaries and host code in the LLVM dialect.
void buildStencilToVendor(mlir::OpPassManager &manager, GPUVendor vendor,
                          const StencilToGPUPipelineOptions &options);

/// Their way to binaries, after a check of the chip; what is outside
/// `gpu.module` stays at level 4. Schedules that were chosen and spill are
/// declined, if what is made says so.
void buildStencilToBinaries(mlir::OpPassManager &manager, GPUVendor vendor,
                            const StencilToGPUPipelineOptions &options);

/// Level 4 (gpu.module, and functions that launch its kernels) to `gpu.binary`
/// and host code in the LLVM dialect. Public functions get a C interface, as in
/// `stencil-to-cpu`.
void buildGPUToVendor(mlir::OpPassManager &manager, GPUVendor vendor,
                      const GPUBinaryPipelineOptions &options);

/// The same for the kernels only: what is outside `gpu.module` stays as it is.
void buildKernelsToBinaries(mlir::OpPassManager &manager, GPUVendor vendor,
                            const GPUBinaryPipelineOptions &options);

/// Makes them known as `stencil-to-nvvm` and `stencil-to-rocdl`, those that
/// begin at level 4 as `stencil-gpu-to-nvvm` and `stencil-gpu-to-rocdl`, and
/// the one that ends with tiles as `stencil-to-tiles`.
void registerGPUPipelines();

} // namespace stencil

#endif // STENCILDIALECT_PIPELINES_GPUPIPELINES_H
