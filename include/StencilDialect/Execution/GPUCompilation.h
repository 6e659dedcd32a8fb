//===- GPUCompilation.h - Programs for a GPU --------------------*- C++ -*-===//
//
// The way from a program to LLVM IR of the host that has the GPU's binary in
// it, shared by what runs programs and what writes object files.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_EXECUTION_GPUCOMPILATION_H
#define STENCILDIALECT_EXECUTION_GPUCOMPILATION_H

#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Target/GPUBinary.h"
#include "StencilDialect/Target/GPUTargets.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class ModuleOp;
class OpPassManager;
class PassManager;
} // namespace mlir

namespace stencil {

struct GPUCompileOptions {
  const GPUTarget *target = &getGPUTargets().front();
  /// A name of LLVM's, such as "sm_90"; there is no default.
  std::string chip;
  /// As the option of `stencil-to-nvvm`; auto: PTX for the driver to compile,
  /// with a remark, if there is no ptxas.
  std::string format = "auto";
  /// Directory of the CUDA toolkit or of ROCm; empty: searched for.
  std::string toolkit;
  /// The `#stencil.schedule` of applies that have none; may be empty.
  std::string schedule;
  /// File of measured schedules; may be empty.
  std::string tuningDatabase;
  AlgebraOptions algebra;
  /// Interior points per axis, if they are known; 0 for an axis whose are not.
  std::vector<int64_t> extents;
  /// LLVM's and ptxas' optimisations of kernels: 0 to 3.
  unsigned optLevel = 3;
  /// As in CompileOptions.
  bool countSteps = false;
  /// As in GPUFrontOptions.
  bool deviceArrays = false;
};

/// What the way to level 4 is told.
GPUFrontOptions getFrontOptions(const GPUCompileOptions &options);

/// True if the program has kernels already (level 4).
bool hasKernels(mlir::ModuleOp module);

/// From level 0, or from level 4 if `kernels`, to the LLVM dialect and
/// gpu.binary.
void buildGPUCompilation(mlir::OpPassManager &manager,
                         const GPUCompileOptions &options, bool kernels);

/// Only what is in gpu.module, from level 0 or from level 4. Not for the
/// emulator.
void buildKernelCompilation(mlir::OpPassManager &manager,
                            const GPUCompileOptions &options, bool kernels);

/// Compiles the module, which is used up, to LLVM IR that wants the runtime and
/// whose constructors hand the runtime the binaries. `configure` may set the
/// pass manager up; `resources`, if given, gets what the kernels need; `finish`
/// sees the module before it is translated. Returns
/// null after an error. The context of the module needs registerCPUDialects
/// and registerGPUDialects.
std::unique_ptr<llvm::Module>
compileForGPU(mlir::ModuleOp module, llvm::LLVMContext &context,
              const GPUCompileOptions &options,
              llvm::function_ref<void(mlir::PassManager &)> configure = {},
              std::vector<KernelResources> *resources = nullptr,
              llvm::function_ref<void(mlir::ModuleOp)> finish = {});

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_GPUCOMPILATION_H
