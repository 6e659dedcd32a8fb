//===- AttachKernelTargets.cpp - Which GPU kernels are for ----------------===//

#include "KernelLimits.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Target.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILATTACHKERNELTARGETS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// AMD's word for the blocks that are to be on a multiprocessor at least: waves
/// on each of its four SIMDs. More than its eight are not to be had.
static void replaceLaunchBounds(gpu::GPUFuncOp kernel,
                                const TargetInfo &target) {
  StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
  auto blocks = kernel->getAttrOfType<IntegerAttr>(name);
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  if (blocks && block && blocks.getInt() > 0) {
    int64_t threads = int64_t((*block)[0]) * (*block)[1] * (*block)[2];
    int64_t warps = llvm::divideCeil(threads, target.warpSize);
    int64_t waves =
        llvm::divideCeil(std::min<int64_t>(blocks.getInt(), 64) * warps, 4);
    kernel->setAttr("rocdl.waves_per_eu", Builder(kernel).getI32IntegerAttr(
                                              std::min<int64_t>(waves, 8)));
  }
  kernel->removeAttr(name);
  kernel->removeAttr(NVVM::NVVMDialect::getMaxnregAttrName());
}

namespace {

struct AttachKernelTargets
    : stencil::impl::StencilAttachKernelTargetsBase<AttachKernelTargets> {
  using StencilAttachKernelTargetsBase::StencilAttachKernelTargetsBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    FailureOr<const TargetInfo *> known = requireTarget(module);
    if (failed(known))
      return failure();
    const TargetInfo &target = **known;
    if (optLevel > 3)
      return emitError(getStart(module))
             << "expected opt-level from 0 to 3, got " << optLevel.getValue();

    auto attribute = makeAttribute(target);
    return checkWithin(module, [&](Operation *op) {
      if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op)) {
        kernels.setTargetsAttr(ArrayAttr::get(&getContext(), attribute));
      } else if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op)) {
        if (kernel.isKernel() && failed(checkKernelLimits(kernel, target)))
          return WalkResult::interrupt();
        if (target.vendor == GPUVendor::AMD)
          replaceLaunchBounds(kernel, target);
      } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
        if (failed(checkLaunchLimits(launch, target)))
          return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
  }

  Attribute makeAttribute(const TargetInfo &target) {
    Builder builder(&getContext());
    if (target.vendor == GPUVendor::NVIDIA)
      return NVVM::NVVMTargetAttr::get(&getContext(), optLevel,
                                       "nvptx64-nvidia-cuda", target.chip,
                                       target.ptxFeature);
    // Of the versions of AMD's code objects, 5 is what ROCm 5 and later load.
    DictionaryAttr flags;
    if (target.warpSize == 32)
      flags = builder.getDictionaryAttr(
          builder.getNamedAttr("no_wave64", builder.getUnitAttr()));
    return ROCDL::ROCDLTargetAttr::get(&getContext(), optLevel,
                                       "amdgcn-amd-amdhsa", target.chip, "",
                                       "500", flags);
  }
};

} // namespace
