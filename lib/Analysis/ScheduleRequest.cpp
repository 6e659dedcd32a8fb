//===- ScheduleRequest.cpp - The schedule that a user asks for ------------===//

#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;

static bool isIdentifier(StringRef text) {
  return llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !llvm::isDigit(text.front());
}

FailureOr<ScheduleRequest>
ScheduleRequest::parse(StringRef text, MLIRContext *context, Location loc) {
  ScheduleRequest request;
  text = text.trim();
  if (text.empty())
    return request;
  if (isIdentifier(text)) {
    if (!isScheduleName(text))
      return emitError(loc, "expected a #stencil.schedule or one of the names ")
             << llvm::join(getScheduleNames(), ", ") << ", got '" << text
             << "'";
    request.name = text.str();
    return request;
  }
  Attribute attribute = parseAttribute(text, context);
  if (!attribute)
    return failure(); // reported by the parser
  request.attribute = dyn_cast<ScheduleAttr>(attribute);
  if (!request.attribute)
    return emitError(loc, "expected a #stencil.schedule, got ") << attribute;
  return request;
}

ScheduleAttr ScheduleRequest::getFor(ApplyOp apply, const TargetInfo *target,
                                     std::string &why) const {
  if (!name.empty())
    return getNamedSchedule(name, getKernelShape(apply), *target,
                            apply.getContext(), why);
  if (!attribute || suits(attribute, apply))
    return attribute;
  llvm::raw_string_ostream os(why);
  os << "the schedule is for ";
  if (int64_t rank = attribute.getRank())
    os << rank << " axes";
  else
    os << "at least " << attribute.getStream().value_or(0) + 1 << " axes";
  if (size_t windows = attribute.getWindow().size(); windows > 1)
    os << " and " << windows << " inputs";
  os << ", which no stencil.apply has: " << attribute;
  return {};
}

LogicalResult ScheduleRequest::assign(ModuleOp module,
                                      const TargetInfo *target) const {
  if (!attribute && name.empty())
    return success();
  if (!name.empty() && !target)
    return emitError(module.getLoc(), "expected a chip for the schedule '")
           << name << "', which depends on it; got none";
  bool isUsed = false;
  std::string why;
  Operation *refused = nullptr;
  module.walk([&](ApplyOp apply) {
    if (apply->hasAttr(ScheduleAttr::kAttrName) ||
        apply->getParentOfType<PipelineOp>())
      return;
    std::string reason;
    if (ScheduleAttr schedule = getFor(apply, target, reason)) {
      apply->setAttr(ScheduleAttr::kAttrName, schedule);
      isUsed = true;
    } else if (!refused) {
      refused = apply;
      why = std::move(reason);
    }
  });
  if (isUsed || !refused)
    return success();
  // Of an attribute, the reason is the same for all of them.
  return emitError(name.empty() ? module.getLoc() : refused->getLoc(), why);
}
