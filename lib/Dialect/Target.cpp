//===- Target.cpp - Which GPU a module is for -----------------------------===//

#include "StencilDialect/IR/Target.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  std::string chip;
  SMLoc loc;
  if (parser.parseLess() || parser.parseKeyword("chip") ||
      parser.parseEqual() || parser.getCurrentLocation(&loc) ||
      parser.parseString(&chip) || parser.parseGreater())
    return {};
  // Products can be written in upper case.
  if (auto info = getTargetInfo(chip); info)
    chip = info->getName().str();
  else
    llvm::consumeError(info.takeError());
  return parser.getChecked<TargetAttr>(loc, parser.getContext(),
                                       llvm::StringRef(chip));
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << "<chip = \"" << getChip() << "\">";
}

LogicalResult
TargetAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   llvm::StringRef chip) {
  if (auto info = getTargetInfo(chip); !info)
    return emitError() << llvm::toString(info.takeError());
  return success();
}

const TargetInfo &TargetAttr::getInfo() const {
  return llvm::cantFail(getTargetInfo(getChip()));
}

//===----------------------------------------------------------------------===//
// The target of a module
//===----------------------------------------------------------------------===//

const TargetInfo *stencil::findTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isa<ModuleOp>(op))
      if (auto target = op->getAttrOfType<TargetAttr>(TargetAttr::kAttrName))
        return &target.getInfo();
  return nullptr;
}

FailureOr<const TargetInfo *> stencil::requireTarget(Operation *op) {
  if (const TargetInfo *target = findTarget(op))
    return target;
  return emitError(getStart(op), "expected a module with the attribute ")
         << TargetAttr::kAttrName
         << "; stencil-attach-target=\"chip=sm_90\" sets it";
}
