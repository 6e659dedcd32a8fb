//===- ScheduleRequest.cpp - The schedule that a user asks for ------------===//

#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/Locations.h"
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
  if (auto list = dyn_cast<ArrayAttr>(attribute);
      list && llvm::all_of(list, [](Attribute element) {
        return isa<ScheduleAttr, UnitAttr>(element);
      }))
    request.list = list;
  if (!request.attribute && !request.list)
    return emitError(loc, "expected a #stencil.schedule, got ") << attribute;
  return request;
}

llvm::SmallVector<ApplyOp> stencil::getScheduledApplies(ModuleOp module) {
  llvm::SmallVector<ApplyOp> applies;
  module.walk([&](ApplyOp apply) {
    if (!apply->getParentOfType<PipelineOp>())
      applies.push_back(apply);
  });
  return applies;
}

/// Why a schedule cannot be the one of an apply.
static void explainMisfit(ScheduleAttr schedule, llvm::raw_ostream &os) {
  os << "the schedule is for ";
  if (int64_t rank = schedule.getRank())
    os << rank << " axes";
  else
    os << "at least " << schedule.getStream().value_or(0) + 1 << " axes";
  if (size_t windows = schedule.getWindow().size(); windows > 1)
    os << " and " << windows << " inputs";
}

ScheduleAttr ScheduleRequest::getFor(ApplyOp apply, const TargetInfo *target,
                                     std::string &why) const {
  if (!name.empty())
    return getNamedSchedule(name, getKernelShape(apply), *target,
                            apply.getContext(), why);
  if (!attribute || suits(attribute, apply))
    return attribute;
  llvm::raw_string_ostream os(why);
  explainMisfit(attribute, os);
  os << ", which no stencil.apply has: " << attribute;
  return {};
}

LogicalResult ScheduleRequest::assignList(ModuleOp module) const {
  llvm::SmallVector<ApplyOp> applies = getScheduledApplies(module);
  if (applies.size() != list.size())
    return emitError(getStart(module),
                     "expected a list with a schedule for each "
                     "stencil.apply, of which there are ")
           << applies.size() << ", got " << list.size();
  for (auto [apply, element] : llvm::zip_equal(applies, list)) {
    auto schedule = dyn_cast<ScheduleAttr>(element);
    if (!schedule || !isScheduleOpen(apply))
      continue;
    if (!suits(schedule, apply)) {
      std::string why;
      llvm::raw_string_ostream os(why);
      explainMisfit(schedule, os);
      return apply->emitOpError(why)
             << ", which this one does not have: " << schedule;
    }
    apply->setAttr(ScheduleAttr::kAttrName, mergeSchedule(apply, schedule));
  }
  return success();
}

LogicalResult ScheduleRequest::assign(ModuleOp module,
                                      const TargetInfo *target) const {
  if (list)
    return assignList(module);
  if (!attribute && name.empty())
    return success();
  if (!name.empty() && !target)
    return emitError(getStart(module), "expected a chip for the schedule '")
           << name << "', which depends on it; got none";
  bool isUsed = false;
  std::string why;
  Operation *refused = nullptr;
  for (ApplyOp apply : getScheduledApplies(module)) {
    if (!isScheduleOpen(apply))
      continue;
    std::string reason;
    if (ScheduleAttr schedule = getFor(apply, target, reason)) {
      apply->setAttr(ScheduleAttr::kAttrName, mergeSchedule(apply, schedule));
      isUsed = true;
    } else if (!refused) {
      refused = apply;
      why = std::move(reason);
    }
  }
  if (isUsed || !refused)
    return success();
  // Of an attribute, the reason is the same for all of them.
  return emitError(name.empty() ? getStart(module) : refused->getLoc(), why);
}
