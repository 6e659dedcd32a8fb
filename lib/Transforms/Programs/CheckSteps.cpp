//===- CheckSteps.cpp - Loops count upwards -------------------------------===//
//
// A loop whose step is not positive has no meaning: compiled, it might run for
// ever, or be folded to whatever is convenient. So would one whose last step
// leads past the largest number.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCHECKSTEPS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct CheckSteps : stencil::impl::StencilCheckStepsBase<CheckSteps> {
  void runOnOperation() override {
    auto check = [](scf::ForOp loop) -> LogicalResult {
      // It is a block's own: nobody on the host can stop it.
      if (loop->getParentOfType<tile::KernelOp>())
        return success();
      if (!mayLackStep(loop)) {
        countIfNeeded(loop);
        return success();
      }
      APInt step;
      if (matchPattern(loop.getStep(), m_ConstantInt(&step)))
        return loop.emitError("expected a positive step, got ")
               << step.getSExtValue();
      // Bodies are checked where they become code.
      if (!loop->getParentOfType<ApplyOp>()) {
        OpBuilder builder(loop);
        cf::AssertOp::create(builder, loop.getLoc(),
                             isStepPositive(builder, loop, loop.getStep()),
                             describeBadStep(loop));
        countIfNeeded(loop);
      }
      return success();
    };
    if (failed(checkWithin(getOperation(), check)))
      return signalPassFailure();
    getOperation().walk([](math::IPowIOp power) {
      if (power->getParentOfType<ApplyOp>() || !mayLackQuotient(power) ||
          isa<ShapedType>(power.getType()))
        return;
      OpBuilder builder(power);
      assertPower(builder, power, power.getLhs(), power.getRhs());
    });
  }

private:
  static void countIfNeeded(scf::ForOp loop) {
    if (!loop->getParentOfType<ApplyOp>() && mayWrapAround(loop))
      countIterations(loop);
  }
};

} // namespace
