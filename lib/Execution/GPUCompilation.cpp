//===- GPUCompilation.cpp - Programs for a GPU ----------------------------===//

#include "StencilDialect/Execution/GPUCompilation.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Pipelines/GPUPipelines.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace stencil;

bool stencil::hasKernels(ModuleOp module) {
  return !module.getOps<gpu::GPUModuleOp>().empty();
}

static void fill(StencilToGPUPipelineOptions &to,
                 const GPUCompileOptions &from) {
  to.chip = from.chip;
  to.format = from.format;
  to.toolkit = from.toolkit;
  to.optLevel = from.optLevel;
  to.schedule = from.schedule;
  to.tuningDatabase = from.tuningDatabase;
  to.algebra.set(from.algebra);
  to.countSteps = from.countSteps;
  to.deviceArrays = from.deviceArrays;
  to.extents = ArrayRef<int64_t>(from.extents);
}

GPUFrontOptions stencil::getFrontOptions(const GPUCompileOptions &options) {
  GPUFrontOptions front;
  front.chip = options.chip;
  front.emulate = options.target->isEmulator();
  front.schedule = options.schedule;
  front.tuningDatabase = options.tuningDatabase;
  front.algebra = options.algebra;
  front.countSteps = options.countSteps;
  front.deviceArrays = options.deviceArrays;
  front.extents = options.extents;
  return front;
}

static void buildForEmulator(OpPassManager &manager,
                             const GPUCompileOptions &options, bool kernels) {
  if (!kernels)
    buildStencilToGPU(manager, getFrontOptions(options));
  EmulatorPipelineOptions emulator;
  emulator.chip = options.chip;
  buildGPUToEmulatorPipeline(manager, emulator);
}

void stencil::buildGPUCompilation(OpPassManager &manager,
                                  const GPUCompileOptions &options,
                                  bool kernels) {
  if (options.target->isEmulator())
    return buildForEmulator(manager, options, kernels);
  StencilToGPUPipelineOptions pipeline;
  fill(pipeline, options);
  GPUVendor vendor = options.target->vendor->vendor;
  kernels ? buildGPUToVendor(manager, vendor, pipeline)
          : buildStencilToVendor(manager, vendor, pipeline);
}

void stencil::buildKernelCompilation(OpPassManager &manager,
                                     const GPUCompileOptions &options,
                                     bool kernels) {
  StencilToGPUPipelineOptions pipeline;
  fill(pipeline, options);
  GPUVendor vendor = options.target->vendor->vendor;
  kernels ? buildKernelsToBinaries(manager, vendor, pipeline)
          : buildStencilToBinaries(manager, vendor, pipeline);
}

std::unique_ptr<llvm::Module>
stencil::compileForGPU(ModuleOp module, llvm::LLVMContext &context,
                       const GPUCompileOptions &options,
                       llvm::function_ref<void(PassManager &)> configure,
                       std::vector<KernelResources> *resources,
                       llvm::function_ref<void(ModuleOp)> finish) {
  PassManager manager(module.getContext());
  if (configure)
    configure(manager);
  buildGPUCompilation(manager, options, hasKernels(module));
  if (failed(manager.run(module)))
    return nullptr;
  if (resources)
    for (auto binary : module.getOps<gpu::BinaryOp>())
      llvm::append_range(*resources, getKernelResources(binary));
  if (finish)
    finish(module);
  std::unique_ptr<llvm::Module> result = translateToLLVM(module, context);
  if (!result)
    emitError(module.getLoc()) << "translation to LLVM IR failed";
  return result;
}
