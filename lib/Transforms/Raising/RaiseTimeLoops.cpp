//===- RaiseTimeLoops.cpp - Marks loops over time steps -------------------===//
//
// Puts on every loop that Analysis/TimeLoop.h proves to be a time loop what
// it found, and says of the others why they are none.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILRAISETIMELOOPS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

static TimeLoopAttr toAttr(const TimeLoop &found) {
  MLIRContext *context = found.interior.getContext();
  return TimeLoopAttr::get(
      context, found.interior, stencil::IndexAttr::get(context, found.lower),
      stencil::IndexAttr::get(context, found.upper), found.buffers,
      found.levels.size(), found.stages, found.period, found.isStepDependent);
}

/// Where steps of a simulation may be: stores to fields, not in an inner loop.
static bool hasStores(scf::ForOp loop) {
  auto visit = [](Operation *op) {
    if (isa<StoreOp>(op))
      return WalkResult::interrupt();
    return isa<LoopLikeOpInterface, ApplyOp>(op) ? WalkResult::skip()
                                                 : WalkResult::advance();
  };
  return failed(checkWithin<WalkOrder::PreOrder>(*loop.getBody(), visit));
}

namespace {
struct RaiseTimeLoops
    : stencil::impl::StencilRaiseTimeLoopsBase<RaiseTimeLoops> {
  void runOnOperation() override {
    if (failed(checkProgram(getOperation())))
      return signalPassFailure();
    FieldAliasAnalysis aliases;
    getOperation()->walk([&](scf::ForOp loop) {
      // It may have been a time loop before something changed it.
      loop->removeAttr(kTimeLoopAttr);
      NoTimeLoop why;
      if (std::optional<TimeLoop> found = findTimeLoop(loop, aliases, why)) {
        loop->setAttr(kTimeLoopAttr, toAttr(*found));
        return;
      }
      if (hasStores(loop))
        remarkMissed(why.culprit->getLoc(), "TimeLoops", "NoTimeLoop",
                     "not a time loop: " + why.reason);
    });
  }
};
} // namespace
