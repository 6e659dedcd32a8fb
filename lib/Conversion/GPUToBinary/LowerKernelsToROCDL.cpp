//===- LowerKernelsToROCDL.cpp - convert-gpu-to-rocdl for a target --------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWERKERNELSTOROCDL
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;

namespace {

struct LowerKernelsToROCDL
    : stencil::impl::StencilLowerKernelsToROCDLBase<LowerKernelsToROCDL> {
  using StencilLowerKernelsToROCDLBase::StencilLowerKernelsToROCDLBase;

  void runOnOperation() override {
    gpu::GPUModuleOp kernels = getOperation();
    ROCDL::ROCDLTargetAttr target;
    if (ArrayAttr targets = kernels.getTargetsAttr())
      if (targets.size() == 1)
        target = dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0]);
    if (!target) {
      kernels.emitOpError("expected one target, of AMD; "
                          "stencil-attach-kernel-targets gives one");
      return signalPassFailure();
    }
    ConvertGpuOpsToROCDLOpsOptions options;
    options.chipset = target.getChip().str();
    options.useBarePtrCallConv = true;
    options.runtime = gpu::amd::Runtime::HIP;
    OpPassManager conversion(gpu::GPUModuleOp::getOperationName());
    conversion.addPass(createConvertGpuOpsToROCDLOps(options));
    if (failed(runPipeline(conversion, kernels)))
      signalPassFailure();
  }
};

} // namespace
