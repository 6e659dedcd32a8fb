//===- SerializeKernels.cpp - gpu.module to gpu.binary --------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Target/GPUBinary.h"
#include "StencilDialect/Target/GPUTranslation.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSERIALIZEKERNELS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

static LogicalResult checkTarget(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  if (targets && targets.size() == 1 &&
      isa<NVVM::NVVMTargetAttr, ROCDL::ROCDLTargetAttr>(targets[0]))
    return success();
  return module.emitOpError("expected one target, of NVIDIA or AMD; "
                            "stencil-attach-kernel-targets gives one");
}

/// What no conversion took: better said here than by the translation.
static LogicalResult checkLowered(gpu::GPUModuleOp module) {
  bool nvidia = isa<NVVM::NVVMTargetAttr>(module.getTargetsAttr()[0]);
  return checkConverted(
      module,
      [](Operation *op) {
        return isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect,
                               ROCDL::ROCDLDialect>(op->getDialect());
      },
      nvidia ? "has no form on NVIDIA GPUs" : "has no form on AMD GPUs");
}

namespace {

struct SerializeKernels
    : stencil::impl::StencilSerializeKernelsBase<SerializeKernels> {
  using StencilSerializeKernelsBase::StencilSerializeKernelsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    StencilSerializeKernelsBase::getDependentDialects(registry);
    registerGPUTranslations(registry);
  }

  void runOnOperation() override {
    GPUBinaryOptions options;
    options.toolkit = toolkit;
    llvm::Expected<GPUFormat> parsed = parseGPUFormat(format);
    if (!parsed) {
      emitError(getOperation().getLoc()) << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    options.format = *parsed;
    for (auto module : llvm::make_early_inc_range(
             getOperation().getOps<gpu::GPUModuleOp>())) {
      FailureOr<GPUBinary> binary = failure();
      if (succeeded(checkTarget(module)) && succeeded(checkLowered(module)))
        binary = compileKernels(module, options);
      if (failed(binary))
        return signalPassFailure();
      replaceByBinary(module, *binary);
    }
  }
};

} // namespace
