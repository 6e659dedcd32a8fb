//===- EmulatorPipeline.cpp - Kernels to the emulator ---------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

void stencil::buildGPUToEmulatorPipeline(
    OpPassManager &manager, const EmulatorPipelineOptions &options) {
  addTarget(manager, options.chip);
  manager.addPass(createStencilLowerTensorMaps());
  ConvertGPUToEmulatorOptions convert;
  convert.warpSize = options.warpSize;
  convert.sharedMemory = options.sharedMemory;
  manager.addPass(createConvertGPUToEmulator(convert));

  // Upstream: to the LLVM dialect.
  addHostComputation(manager);
  // gpu.alloc, gpu.wait and whatever else the host does.
  manager.addPass(createGpuToLLVMConversionPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());

  // Folds the descriptors of memrefs, so that it can be seen which accesses are
  // to the thread's own memory.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createStencilCheckEmulatorAccesses());
}
