//===- Unmapped.cpp - What has no tiles yet -------------------------------===//

#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilToTile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

/// What holds for each body.
static std::string findUnmappedBody(ApplyOp apply) {
  for (Value input : apply.getArgs())
    if (auto field = dyn_cast<FieldType>(input.getType());
        field && !field.getBounds())
      return "a field without bounds";
  if (llvm::any_of(apply.getUnrollFactors(),
                   [](int64_t factor) { return factor != 1; }))
    return "a body that returns several points";
  return {};
}

static std::string findUnmappedApply(ApplyOp apply, const KernelFacts &facts) {
  if (!apply.isBufferised())
    return "values outside of a pipeline: stencil-bufferize makes fields of "
           "them";
  auto given = apply->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  if (given && given.getBoundary() == BoundaryPlace::Store)
    return "boundary = store";
  if (facts.schedule.prefetchAxis)
    return "prefetch = l2";
  return findUnmappedBody(apply);
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
  if (window.getSpace() == WindowSpace::Shuffle)
    return "a shuffle window";
  bool isOfStage = !isa<LoadOp, WindowOp>(def);
  if (window.getSpace() == WindowSpace::Shared) {
    if (isOfStage)
      return "a shared window of what a stage makes";
    return window.hasBoundary() ? "a window with a boundary" : "";
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
  if (std::string why = findUnmappedBody(stage); !why.empty())
    return why;
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
  auto stores = op.getBodyBlock()->getOps<StoreOp>();
  auto isStored = [&](LoadOp load) {
    return llvm::any_of(stores, [&](StoreOp store) {
      return facts.aliases.mayAlias(store.getField(), load.getField());
    });
  };
  for (Operation &inner : *op.getBodyBlock()) {
    std::string why =
        llvm::TypeSwitch<Operation *, std::string>(&inner)
            .Case([&](LoadOp load) -> std::string {
              return plan.isNeeded(load) && isStored(load) &&
                             !plan.get(load).needs.isZero()
                         ? "neighbours of a field that is stored to"
                         : "";
            })
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

std::string stencil::findUnmapped(Operation *op, const KernelFacts &facts) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([&](ApplyOp apply) { return findUnmappedApply(apply, facts); })
      .Case([&](PipelineOp pipeline) {
        return findUnmappedPipeline(pipeline, facts);
      })
      .Case([](BoundaryOp) { return "a boundary"; })
      .Case([](FoldOp) { return "a fold"; })
      .Default([](Operation *) { return ""; });
}
