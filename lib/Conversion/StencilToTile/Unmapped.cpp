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
  bool isOfStage = !isa<LoadOp, WindowOp>(def);
  if (window.getSpace() == WindowSpace::Shared) {
    return isOfStage ? "a shared window of what a stage makes" : "";
  }
  // Neighbours are read where the registers come from.
  auto shared = dyn_cast<WindowOp>(def);
  if (shared && shared.getGroupNumber())
    return "registers of a window that is in a group";
  if (!walk || !shared || !isBesideTile(planned.reads, walk))
    return "";
  int64_t lead = plan.get(shared.getRes()).lead;
  int64_t depth = shared.getDepth()->getSExtValue();
  return planned.oldest <= lead - depth
             ? "neighbours in registers that their shared window has lost"
             : "";
}

static std::string findUnmappedStage(ApplyOp stage, const KernelFacts &facts,
                                     std::optional<int64_t> walk) {
  const PipelinePlan &plan = *facts.plan;
  if (isBesideTile(plan.getHeld(stage), walk))
    return "a stage beside the tile";
  if (llvm::any_of(stage.getArgs(), [&](Value input) {
        return isa<GridType>(input.getType()) && !plan.isNeeded(input);
      }))
    return "a stage that is given what no result depends on";
  return {};
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
            .Case([&](ApplyOp stage) {
              return plan.getNeeds(stage).isEmpty()
                         ? ""
                         : findUnmappedStage(stage, facts, op.getWalkAxis());
            })
            .Case([&](StoreOp store) -> std::string {
              return store.getTemp().getDefiningOp<WindowOp>()
                         ? "a window that is stored"
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
