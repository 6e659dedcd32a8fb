//===- ComposeSteps.cpp - Several steps of a time loop at once ------------===//
//
// stencil-compose-steps: of a time loop whose step is one weighted sum, k steps
// become one sum with more taps.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StepComposition.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCOMPOSESTEPS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

#define DEBUG_TYPE "stencil-compose-steps"

using namespace mlir;
using namespace stencil;

namespace {
struct ComposeSteps : stencil::impl::StencilComposeStepsBase<ComposeSteps> {
  using StencilComposeStepsBase::StencilComposeStepsBase;

  void runOnOperation() override {
    if (steps < 2 || steps > 1024) {
      emitError(getStart(getOperation()), "expected steps from 2 to 1024, got ")
          << steps.getValue();
      return signalPassFailure();
    }
    if (failed(checkProgram(getOperation())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<StoreOp>().empty())
        loops.push_back(loop);
    });
    if (loops.empty()) {
      emitError(getStart(getOperation()), "expected a time loop, to compose ")
          << steps.getValue() << " of its steps; there is none";
      return signalPassFailure();
    }
    for (scf::ForOp loop : loops)
      if (failed(compose(loop)))
        return signalPassFailure();
  }

private:
  LogicalResult compose(scf::ForOp loop) {
    // Anew for every loop: what is known of values is of the program before.
    FieldAliasAnalysis aliases;
    NoTimeLoop why;
    std::optional<StepComposition> plan =
        planComposition(loop, steps, math, aliases, why);
    if (!plan) {
      InFlightDiagnostic diag = loop.emitError("cannot compose ")
                                << steps.getValue()
                                << " steps of this loop: " << why.reason;
      if (why.culprit != loop)
        diag.attachNote(why.culprit->getLoc()) << "because of this";
      return diag;
    }
    composeSteps(*plan, math);
    return success();
  }
};
} // namespace
