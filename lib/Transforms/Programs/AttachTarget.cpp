//===- AttachTarget.cpp - Which GPU a module is compiled for --------------===//

#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Target/Vendors.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILATTACHTARGET
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct AttachTarget : stencil::impl::StencilAttachTargetBase<AttachTarget> {
  using StencilAttachTargetBase::StencilAttachTargetBase;

  void runOnOperation() override;

private:
  FailureOr<TargetAttr> getTarget();
  LogicalResult checkVendor(const TargetInfo &info);
};

} // namespace

/// What the option asks for, or what the module has.
FailureOr<TargetAttr> AttachTarget::getTarget() {
  ModuleOp module = getOperation();
  Location place = getOptionLocation("chip", getStart(module));
  auto present = module->getAttrOfType<TargetAttr>(TargetAttr::kAttrName);
  if (chip.empty() && present)
    return present;
  if (chip.empty())
    return emitError(getStart(module),
                     "expected the option chip=NAME, such as chip=sm_90 or "
                     "chip=gfx942, or a module with the attribute ")
           << TargetAttr::kAttrName;
  auto info = getTargetInfo(chip);
  if (!info)
    return emitError(place) << llvm::toString(info.takeError());
  // Products can be written in upper case.
  auto asked = TargetAttr::get(&getContext(), info->getName());
  if (present && present != asked)
    return emitError(place, "expected the module's target '")
           << present.getChip() << "' or a module without a target, got '"
           << chip << "'";
  return asked;
}

LogicalResult AttachTarget::checkVendor(const TargetInfo &info) {
  ModuleOp module = getOperation();
  if (vendor.empty())
    return success();
  for (const VendorInfo &known : getVendors()) {
    if (!known.name.equals_insensitive(vendor))
      continue;
    if (info.vendor == known.vendor)
      return success();
    return emitError(getOptionLocation("chip", getStart(module)))
           << "expected a chip of " << known.name << ", got '" << info.getName()
           << "' of " << getVendorName(info.vendor);
  }
  InFlightDiagnostic error = emitError(getStart(module)) << "expected ";
  llvm::interleave(
      getVendors(),
      [&](const VendorInfo &known) {
        error << "vendor=" << known.name.lower();
      },
      [&] { error << " or "; });
  return error << ", got '" << vendor << "'";
}

void AttachTarget::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<TargetAttr> target = getTarget();
  if (failed(target))
    return signalPassFailure();
  const TargetInfo &info = target->getInfo();
  if (failed(checkVendor(info)))
    return signalPassFailure();
  if (module->getAttr(TargetAttr::kAttrName) == *target)
    return;
  module->setAttr(TargetAttr::kAttrName, *target);
  if (!info.exact)
    remark::analysis(
        getStart(module),
        remark::RemarkOpts::name("ChipNotDescribed").category("Target"))
        << llvm::formatv("chip {0} has no description: limits are those of any "
                         "{1} GPU",
                         info.chip, getVendorName(info.vendor))
               .str();
}
