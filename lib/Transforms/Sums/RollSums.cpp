//===- RollSums.cpp - Loops over the taps of long sums --------------------===//

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/Transforms/ComposeBody.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILROLLSUMS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Whether a stage of a pipeline reads the sum's input in a shared window that
/// holds a whole tile: there is no walk, and memory fills it.
static bool isOverWholeTile(WeightedSumOp sum, ApplyOp stage,
                            PipelineOp pipeline) {
  if (pipeline.getWalkAxis())
    return false;
  auto window = stage.getInput(sum.getInput()).getDefiningOp<WindowOp>();
  return window && window.getSpace() == Space::Shared && window.isOfLoad() &&
         llvm::range_size(pipeline.getBodyBlock()->getOps<ApplyOp>()) == 1;
}

/// What a pipeline is asked to compute its sums with.
static std::optional<Engine> getEngine(PipelineOp pipeline) {
  auto schedule = pipeline ? ScheduleAttr::of(pipeline) : ScheduleAttr();
  return schedule ? schedule.getEngine() : std::nullopt;
}

/// Whether loops over the taps of a sum can be made, if it pays or not.
static bool canBeLoop(WeightedSumOp sum) {
  return sum.isOverInput() && hasOwnWeights(sum) && !findTapBoxes(sum).empty();
}

/// What is asked for and cannot be is an error.
static LogicalResult checkRolled(PipelineOp pipeline) {
  if (getEngine(pipeline) != Engine::Taps || anyWithin(pipeline, hasTapLoop))
    return success();
  return pipeline.emitOpError("has no sum for 'engine = taps': expected a "
                              "stencil.weighted_sum with constant weights of "
                              "an input in a shared window, in a pipeline of "
                              "one stage without a walk");
}

namespace {

struct RollSums : stencil::impl::StencilRollSumsBase<RollSums> {
  using StencilRollSumsBase::StencilRollSumsBase;

  void runOnOperation() override {
    if (minTaps < 1) {
      emitError(getStart(getOperation()),
                "expected 'min-taps' of at least 1, got ")
          << minTaps.getValue();
      return signalPassFailure();
    }
    getOperation().walk([&](ApplyOp apply) {
      if (isPossible(apply))
        roll(apply);
    });
    if (failed(checkWithin(getOperation(), checkRolled)))
      signalPassFailure();
  }

private:
  bool isPossible(ApplyOp apply) const {
    if (!apply->getParentOfType<PipelineOp>() && !withoutWindows)
      return false;
    // The ops of its body are evaluated at its own point only.
    return llvm::product_of(apply.getUnrollFactors()) == 1 &&
           !hasSumsOverValues(apply);
  }

  void roll(ApplyOp apply) const {
    auto pipeline = apply->getParentOfType<PipelineOp>();
    std::optional<Engine> asked = getEngine(pipeline);
    if (asked && asked != Engine::Taps)
      return;
    BodySlices slices(apply);
    for (auto sum : apply.getBodyBlock()->getOps<WeightedSumOp>())
      if ((asked ? canBeLoop(sum) : isLongSum(sum, minTaps)) &&
          slices.isNeededHere(sum) &&
          sum.getAxes().back() == apply.getRank() - 1 &&
          (!pipeline || isOverWholeTile(sum, apply, pipeline)))
        sum->setAttr(kTapLoopAttr, UnitAttr::get(apply.getContext()));
  }
};

} // namespace
