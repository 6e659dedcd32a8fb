//===- GPUPipelines.cpp - Level 4 to binaries -----------------------------===//

#include "StencilDialect/Pipelines/GPUPipelines.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Pipelines/Passes.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Target/Vendors.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

static void addAttachTarget(OpPassManager &manager, llvm::StringRef vendor,
                            const GPUBinaryPipelineOptions &options) {
  StencilAttachTargetOptions attach;
  attach.chip = options.chip;
  attach.vendor = vendor.str();
  manager.addPass(createStencilAttachTarget(attach));
}

static void addAttachKernelTargets(OpPassManager &manager,
                                   llvm::StringRef vendor,
                                   const GPUBinaryPipelineOptions &options) {
  addAttachTarget(manager, vendor, options);
  StencilAttachKernelTargetsOptions attach;
  attach.optLevel = options.optLevel;
  manager.addPass(createStencilAttachKernelTargets(attach));
}

/// What kernels of both vendors need before the conversion of GPU ops.
static void addKernelPreparation(OpPassManager &kernels, bool rocm) {
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  // Half precision is computed in single: few functions have it.
  kernels.addPass(math::createMathExtendToSupportedTypes());
  StencilLowerScalarMathOptions scalars;
  scalars.device = true;
  kernels.addPass(createStencilLowerScalarMath(scalars));
  StencilLowerDeviceMathOptions functions;
  functions.rocm = rocm;
  kernels.addPass(createStencilLowerDeviceMath(functions));
  kernels.addPass(createSCFToControlFlowPass());
}

static void addSerialization(OpPassManager &manager,
                             const GPUBinaryPipelineOptions &options) {
  if (options.format == "llvm")
    return;
  StencilSerializeKernelsOptions serialize;
  serialize.format = options.format;
  serialize.toolkit = options.toolkit;
  manager.addPass(createStencilSerializeKernels(serialize));
}

/// Host code that is left when the kernels are binaries.
static void addHost(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createStencilRequestCInterfaces());
  manager.addPass(createStencilLowerLaunches());
  addHostComputation(manager);
  GpuToLLVMConversionPassOptions launch;
  launch.kernelBarePtrCallConv = true;
  manager.addPass(createGpuToLLVMConversionPass(launch));
  manager.addPass(createReconcileUnrealizedCastsPass());
}

static void buildKernelsToNVVM(OpPassManager &manager,
                               const GPUBinaryPipelineOptions &options) {
  addAttachKernelTargets(manager, "nvidia", options);
  manager.addPass(createStencilLowerTensorMaps());
  OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(createConvertNVGPUToNVVMPass());
  addKernelPreparation(kernels, /*rocm=*/false);
  ConvertGpuOpsToNVVMOpsOptions convert;
  convert.useBarePtrCallConv = true;
  kernels.addPass(createConvertGpuOpsToNVVMOps(convert));
  kernels.addPass(createStencilDeclareDynamicMemory());
  kernels.addPass(createStencilReferenceArguments());
  kernels.addPass(createStencilLowerPrefetches());
  kernels.addPass(createStencilLowerEvictions());
  // The instructions that LLVM has no intrinsics for.
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  addSerialization(manager, options);
}

static void buildKernelsToROCDL(OpPassManager &manager,
                                const GPUBinaryPipelineOptions &options) {
  addAttachKernelTargets(manager, "amd", options);
  OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
  addKernelPreparation(kernels, /*rocm=*/true);
  kernels.addPass(createStencilLowerKernelsToROCDL());
  kernels.addPass(createStencilDeclareDynamicMemory());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  addSerialization(manager, options);
}

void stencil::buildKernelsToBinaries(OpPassManager &manager, GPUVendor vendor,
                                     const GPUBinaryPipelineOptions &options) {
  switch (vendor) {
  case GPUVendor::NVIDIA:
    return buildKernelsToNVVM(manager, options);
  case GPUVendor::AMD:
    return buildKernelsToROCDL(manager, options);
  }
  llvm_unreachable("a vendor without a pipeline");
}

void stencil::buildGPUToVendor(OpPassManager &manager, GPUVendor vendor,
                               const GPUBinaryPipelineOptions &options) {
  buildKernelsToBinaries(manager, vendor, options);
  addHost(manager);
}

static GPUFrontOptions
getFrontOptions(const StencilToGPUPipelineOptions &options) {
  GPUFrontOptions front;
  front.schedule = options.schedule;
  front.tuningDatabase = options.tuningDatabase;
  front.algebra = options.algebra.get();
  front.countSteps = options.countSteps;
  front.deviceArrays = options.deviceArrays;
  front.extents.assign(options.extents.begin(), options.extents.end());
  return front;
}

/// True if schedules are chosen, and what is made says what spills: assembly
/// may not, and what is not compiled does not.
static bool knowsSpills(GPUVendor vendor,
                        const StencilToGPUPipelineOptions &options) {
  std::optional<ScheduleChoice> choice =
      parseScheduleChoice(llvm::StringRef(options.schedule).trim());
  bool isChosen = choice && *choice != ScheduleChoice::Default;
  return isChosen && options.format != "llvm" &&
         (options.format != "isa" || getVendorInfo(vendor).assemblySaysSpills);
}

void stencil::buildStencilToBinaries(
    OpPassManager &manager, GPUVendor vendor,
    const StencilToGPUPipelineOptions &options) {
  // A chip that is missing or wrong is an error before anything else is done.
  addAttachTarget(manager, getVendorName(vendor), options);
  GPUFrontOptions front = getFrontOptions(options);
  if (!knowsSpills(vendor, options)) {
    buildStencilToGPU(manager, front);
    return buildKernelsToBinaries(manager, vendor, options);
  }
  buildStencilToFields(manager, front);
  // Before choices are numbered: each variant has one of its own.
  addVariants(manager, front);
  StencilCompileKernelsOptions compile;
  compile.format = options.format;
  compile.toolkit = options.toolkit;
  compile.optLevel = options.optLevel;
  compile.schedule = options.schedule;
  compile.tuningDb = options.tuningDatabase;
  compile.math = options.algebra.get().math;
  compile.countSteps = options.countSteps;
  manager.addPass(createStencilCompileKernels(compile));
}

void stencil::buildStencilToVendor(OpPassManager &manager, GPUVendor vendor,
                                   const StencilToGPUPipelineOptions &options) {
  buildStencilToBinaries(manager, vendor, options);
  addHost(manager);
}

/// `stencil-to-nvvm` and `stencil-gpu-to-nvvm`.
static void registerVendor(const VendorInfo &info) {
  std::string gpus = ("for " + info.name + " GPUs").str();
  GPUVendor vendor = info.vendor;
  PassPipelineRegistration<StencilToGPUPipelineOptions>(
      ("stencil-to-" + info.lowering).str(), "Compile stencil programs " + gpus,
      [vendor](OpPassManager &manager,
               const StencilToGPUPipelineOptions &options) {
        buildStencilToVendor(manager, vendor, options);
      });
  PassPipelineRegistration<GPUBinaryPipelineOptions>(
      ("stencil-gpu-to-" + info.lowering).str(),
      "Compile kernels (level 4) " + gpus + ", and the code that launches them",
      [vendor](OpPassManager &manager,
               const GPUBinaryPipelineOptions &options) {
        buildGPUToVendor(manager, vendor, options);
      });
}

void stencil::registerGPUPipelines() {
  registerStencilPipelinesPasses();
  for (const VendorInfo &info : getVendors())
    registerVendor(info);
  PassPipelineRegistration<StencilToGPUPipelineOptions>(
      "stencil-to-tiles", "Compile stencil programs to kernels of tiles",
      [](OpPassManager &manager, const StencilToGPUPipelineOptions &options) {
        GPUFrontOptions front = getFrontOptions(options);
        front.chip = options.chip;
        buildStencilToTiles(manager, front);
      });
}
