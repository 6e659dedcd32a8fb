//===- ExpandBoundaries.cpp - Boundaries of windows to their readers ------===//
//
// Before:
//   %w = a shared window of what a stage makes, with a boundary
//   %r = stencil.apply(%a = %w) { ... stencil.access %a[-1] ... }
// After:
//   %w = a shared window of what the stage makes within the box
//   %r = stencil.apply(%a = %w) {
//     %i = stencil.index 0 <[0]>
//     ... arith.select (%i == 0), what the condition says, stencil.access
//     %a[-1]
//   }
//
// So there is nothing to write beside what the stage makes, nor a barrier for
// it: in a walk the planes beyond the box would be made of planes that come
// later. Who reads next to the box reads these anyway.
//
//===----------------------------------------------------------------------===//

#include "HaloReads.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "Sums/SumBodies.h"
#include "Windows/PlaneLeads.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILEXPANDBOUNDARIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Whether readers reach beyond a side whose condition is one of these.
static bool reaches(WindowOp window, const PipelinePlan &plan,
                    llvm::function_ref<bool(const HaloRule &)> isOne) {
  OffsetBox reach = plan.getReach(window);
  for (size_t axis = 0; axis < reach.lower.size(); ++axis)
    for (bool upper : {false, true})
      if ((upper ? reach.upper : reach.lower)[axis] > 0 &&
          isOne(getHaloRule(window.getCondition(axis, upper))))
        return true;
  return false;
}

/// Whether kernels cannot fill the window themselves: those of loads they can,
/// but for extrapolations.
static bool isExpanded(WindowOp window, const PipelinePlan &plan) {
  if (!window.hasBoundary() || !plan.isNeeded(window.getRes()))
    return false;
  return !window.isOfLoad() || reaches(window, plan, [](const HaloRule &rule) {
    return rule.isPolynomial();
  });
}

/// The operands of stages that are a window, or copies of it. What is stored of
/// it lies in the box.
static void findReads(Value kept, const PipelinePlan &plan,
                      SmallVectorImpl<OpOperand *> &reads) {
  for (OpOperand &use : kept.getUses()) {
    if (auto copy = dyn_cast<WindowOp>(use.getOwner())) {
      if (plan.isNeeded(copy.getRes()))
        findReads(copy.getRes(), plan, reads);
    } else if (auto stage = dyn_cast<ApplyOp>(use.getOwner())) {
      if (!plan.getNeeds(stage).isEmpty())
        reads.push_back(&use);
    }
  }
}

/// Whether a condition wraps. What is kept beside that wraps with it, which the
/// window does.
static bool wraps(ArrayAttr conditions) {
  return llvm::any_of(conditions, [](Attribute condition) {
    return getHaloRule(condition).wraps();
  });
}

/// What the window has around the box from now on.
static void setRest(WindowOp window, const PipelinePlan &plan) {
  Builder builder(window);
  if (!window.isOfLoad()) {
    BoundsAttr box = *window.getBounds();
    bool isReached = !plan.getReach(window).isZero();
    window.removeBoundary();
    if (isReached)
      window->setDiscardableAttr(kWithinAttr, box);
    return;
  }
  Type element = getElementType(window);
  Attribute zero = getZeroCondition(element);
  SmallVector<Attribute> rest;
  ArrayAttr conditions = *window.getConditions();
  for (Attribute condition : conditions) {
    HaloRule rule = getHaloRule(condition);
    bool stays = rule.wraps() || (rule.isKept() && wraps(conditions));
    rest.push_back(stays ? condition : zero);
  }
  window.setConditionsAttr(builder.getArrayAttr(rest));
}

static LogicalResult expand(WindowOp window, const PipelinePlan &plan,
                            HaloInputs &inputs) {
  bool repeats =
      reaches(window, plan, [](const HaloRule &rule) { return rule.wraps(); });
  if (repeats && !window.isOfLoad())
    return window.emitOpError("has no lowering here: a periodic boundary of "
                              "what a stage makes; run stencil-wrap-stages");
  WindowHalo halo{*window.getBounds(), *window.getConditions(), {}, {}};
  if (window.getKeep())
    halo.keep = window.getKeep().getDefiningOp<LoadOp>();
  if (auto load = window.getTemp().getDefiningOp<LoadOp>()) {
    if (!wraps(halo.conditions))
      halo.keep = load;
    else if (reaches(window, plan,
                     [](const HaloRule &rule) { return rule.isKept(); }))
      halo.field = getBounds(load.getField());
  }
  SmallVector<OpOperand *> reads;
  findReads(window.getRes(), plan, reads);
  for (OpOperand *read : reads) {
    auto stage = cast<ApplyOp>(read->getOwner());
    if (failed(expandWeightedSums(stage)))
      return failure();
    const OffsetBox &needs = plan.getNeeds(stage);
    HaloReads body(stage, halo, plan.getDomain(), needs, inputs);
    if (failed(body.run(read->getOperandNumber())))
      return failure();
  }
  setRest(window, plan);
  return success();
}

/// Expands the boundaries of the windows of one pipeline.
static LogicalResult expandBoundaries(PipelineOp op) {
  if (llvm::none_of(op.getBodyBlock()->getOps<WindowOp>(),
                    [](WindowOp window) { return window.hasBoundary(); }))
    return success();
  FailureOr<PipelinePlan> plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  auto windows = llvm::filter_to_vector(
      op.getBodyBlock()->getOps<WindowOp>(),
      [&](WindowOp window) { return isExpanded(window, *plan); });
  if (windows.empty())
    return success();
  PlaneLeads leads(op, *plan);
  HaloInputs inputs(op, *plan);
  for (WindowOp window : windows)
    if (failed(expand(window, *plan, inputs)))
      return failure();
  return success(succeeded(leads.raise()) &&
                 succeeded(PipelinePlan::create(op)));
}

namespace {
struct ExpandBoundaries
    : stencil::impl::StencilExpandBoundariesBase<ExpandBoundaries> {
  void runOnOperation() override {
    if (failed(checkWithin(getOperation(), expandBoundaries)))
      signalPassFailure();
  }
};
} // namespace
