//===- WrapStages.cpp - Periodic boundaries of what stages make -----------===//
//
// Before:
//   %w = a window of what a stage makes, periodic around the box of the stores
// After:
//   %w = a window of what a stage makes, around the box, too
//
// What is at the other end is in another block, and in a walk not there yet. So
// the stage is computed around the box: the same, if what it reads repeats as
// well, or from what does.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "WrappedValues.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILWRAPSTAGES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Whether an op needs what it takes within the box of the stores only, along
/// these axes.
static bool isInside(Operation *user, const PipelinePlan &plan,
                     const llvm::SmallBitVector &axes) {
  OffsetBox needs;
  if (isa<StoreOp>(user))
    return true;
  if (auto stage = dyn_cast<ApplyOp>(user)) {
    needs = plan.getNeeds(stage);
  } else if (Value made = user->getResult(0); plan.isNeeded(made)) {
    needs = plan.get(made).needs;
    auto window = dyn_cast<WindowOp>(user);
    if (window && window.hasBoundary())
      needs = clipNeeds(needs, plan.getReach(window));
    else if (window && getWithin(window))
      needs = clipNeeds(
          needs, getHaloReach(plan.getDomain(), getWithin(window), needs));
    if (auto sum = dyn_cast<AccumulateOp>(user)) {
      int64_t walk = *cast<PipelineOp>(sum->getParentOp()).getWalkAxis();
      needs.lower[walk] += sum.getPlanes().front();
      needs.upper[walk] += sum.getPlanes().back();
    }
  }
  if (needs.isEmpty())
    return true;
  return llvm::all_of(axes.set_bits(), [&](unsigned axis) {
    return needs.lower[axis] >= 0 && needs.upper[axis] <= 0;
  });
}

/// Who reads a value within the box reads what is computed for those beyond,
/// so that it is not computed twice.
static void useWrapped(const WrappedValues &values, const PipelinePlan &plan) {
  for (auto [before, after] : values.getSame())
    before.replaceUsesWithIf(after, [&](OpOperand &use) {
      return !values.isNew(use.getOwner()) &&
             isInside(use.getOwner(), plan, values.getAxes());
    });
}

/// The window has what its readers read along the axes, and the rest of its
/// boundary.
static void growBox(WindowOp window, const PipelinePlan &plan,
                    const llvm::SmallBitVector &axes) {
  MLIRContext *context = window.getContext();
  OffsetBox reach = plan.getReach(window);
  SmallVector<int64_t> lower(window.getBounds()->getLb());
  SmallVector<int64_t> upper(window.getBounds()->getUb());
  SmallVector<Attribute> conditions(window.getConditions()->getValue());
  for (unsigned axis : axes.set_bits()) {
    lower[axis] -= reach.lower[axis];
    upper[axis] += reach.upper[axis];
    reach.lower[axis] = reach.upper[axis] = 0;
    conditions[2 * axis] = conditions[2 * axis + 1] = KeepAttr::get(context);
  }
  if (reach.isZero())
    window.removeBoundary();
  else
    window.setBoundary(BoundsAttr::get(context, lower, upper),
                       ArrayAttr::get(context, conditions));
}

/// What others have taken the place of.
static void eraseUnused(PipelineOp op, const PipelinePlan &plan) {
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*op.getBodyBlock()))) {
    bool wasNeeded = llvm::any_of(
        inner.getResults(), [&](Value value) { return plan.isNeeded(value); });
    if (wasNeeded && inner.use_empty())
      inner.erase();
  }
}

static LogicalResult wrap(PipelineOp op, ArrayRef<WindowOp> windows,
                          const PipelinePlan &plan) {
  PlaneLeads leads(op, plan);
  WrappedValues values(op, windows, plan, leads);
  FailureOr<Value> wrapped = values.run();
  if (failed(wrapped))
    return failure();
  for (WindowOp window : windows) {
    window.getTempMutable().assign(*wrapped);
    growBox(window, plan, values.getAxes());
  }
  useWrapped(values, plan);
  eraseUnused(op, plan);
  WindowOp first = windows.front();
  Location loc = first.getLoc();
  remarkPassed(loc, "Boundaries", "Wrap",
               "what a stage makes is computed around a periodic box, too");
  if (unsigned count = values.countLoads())
    remarkMissed(
        loc, "Boundaries", "Wrap",
        llvm::formatv("it is computed there from {0} periodic window{1} of "
                      "loads that are not periodic themselves",
                      count, count == 1 ? "" : "s"));
  return leads.raise();
}

/// The last window that is to be wrapped, and the others of the same value.
static SmallVector<WindowOp> findNext(PipelineOp op, const PipelinePlan &plan) {
  SmallVector<WindowOp> windows(op.getBodyBlock()->getOps<WindowOp>()), found;
  llvm::SmallBitVector axes;
  for (WindowOp window : llvm::reverse(windows)) {
    llvm::SmallBitVector own = findWrappedAxes(window, plan);
    if (own.none())
      continue;
    if (found.empty())
      axes = own;
    else if (window.getTemp() != found.front().getTemp() || own != axes)
      continue;
    found.push_back(window);
  }
  return found;
}

/// Wraps the stages of one pipeline, from the last window to the first: what
/// others read of a stage around the box, it reads of its own windows.
static LogicalResult wrapStages(PipelineOp op) {
  while (
      llvm::any_of(op.getBodyBlock()->getOps<WindowOp>(), [](WindowOp window) {
        return window.hasBoundary() && !window.isOfLoad();
      })) {
    FailureOr<PipelinePlan> plan = PipelinePlan::create(op);
    if (failed(plan))
      return failure();
    SmallVector<WindowOp> windows = findNext(op, *plan);
    if (windows.empty())
      return success();
    if (failed(wrap(op, windows, *plan)))
      return failure();
  }
  return success();
}

namespace {
struct WrapStages : stencil::impl::StencilWrapStagesBase<WrapStages> {
  void runOnOperation() override {
    if (failed(checkWithin(getOperation(), wrapStages)))
      signalPassFailure();
  }
};
} // namespace
