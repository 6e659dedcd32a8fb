//===- Unmapped.cpp - What has no tiles yet -------------------------------===//

#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilToTile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

static constexpr const char *kValues =
    "values outside of a pipeline: stencil-bufferize makes fields of them";

static std::string findUnmappedApply(ApplyOp apply) {
  return apply.isBufferised() ? "" : kValues;
}

static bool isBesideTile(const OffsetBox &box, std::optional<int64_t> walk) {
  for (int64_t axis = 0; axis < static_cast<int64_t>(box.lower.size()); ++axis)
    if (walk != axis && (box.lower[axis] != 0 || box.upper[axis] != 0))
      return true;
  return false;
}

static std::string findUnmappedWindow(WindowOp window, const KernelFacts &facts,
                                      std::optional<int64_t> walk) {
  const PipelinePlan &plan = *facts.plan;
  const PlannedValue &planned = plan.get(window.getRes());
  Operation *def = window.getTemp().getDefiningOp();
  if (window.getSpace() == WindowSpace::Shared)
    return "";
  // Neighbours that a thread keeps are inputs of their own, offset by offset.
  auto shared = dyn_cast<WindowOp>(def);
  bool isLost =
      shared &&
      (shared.getGroupNumber() ||
       (walk && planned.oldest <= plan.get(shared.getRes()).lead -
                                      shared.getDepth()->getSExtValue()));
  if (!isLost)
    return "";
  for (OpOperand &use : window.getRes().getUses())
    if (auto stage = dyn_cast<ApplyOp>(use.getOwner()))
      for (Operation *user :
           stage.getBodyBlock()->getArgument(use.getOperandNumber()).getUsers())
        if (!isa<AccessOp>(user) && isBesideTile(planned.reads, walk))
          return "neighbours in registers, in a sum that is not expanded";
  return "";
}

static std::string findUnmappedPipeline(PipelineOp op,
                                        const KernelFacts &facts) {
  const PipelinePlan &plan = *facts.plan;
  for (Operation &inner : *op.getBodyBlock()) {
    std::string why =
        llvm::TypeSwitch<Operation *, std::string>(&inner)
            .Case([&](WindowOp window) {
              return plan.isNeeded(window.getRes())
                         ? findUnmappedWindow(window, facts, op.getWalkAxis())
                         : "";
            })
            .Default([](Operation *) { return ""; });
    if (!why.empty())
      return why;
  }
  return {};
}

static std::string findUnmappedFold(FoldOp fold) {
  if (!llvm::all_of(fold.getTemps().getTypes(), llvm::IsaPred<FieldType>))
    return kValues;
  return {};
}

std::string stencil::findUnmapped(Operation *op, const KernelFacts &facts) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([&](ApplyOp apply) { return findUnmappedApply(apply); })
      .Case([&](PipelineOp pipeline) {
        return findUnmappedPipeline(pipeline, facts);
      })
      .Case([](FoldOp fold) { return findUnmappedFold(fold); })
      .Default([](Operation *) { return ""; });
}
