//===- OrderBodies.cpp - Bodies that hold few values at once --------------===//

#include "StencilDialect/Analysis/BodyOrder.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/Transforms/Passes.h"
#include "Sums/SumBodies.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILORDERBODIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// How often sums follow the order of the body, and this them.
static constexpr int kMaxRounds = 4;

/// Puts the body in a shorter order; false, if there is none.
static bool shorten(ApplyOp apply) {
  LiveRegisters live;
  OpOrder order = findShortOrder(apply, live);
  if (live.most >= countLiveRegisters(apply))
    return false;
  Operation *end = apply.getBodyBlock()->getTerminator();
  for (Operation *op : order)
    op->moveBefore(end);
  return true;
}

namespace {

struct OrderBodies : stencil::impl::StencilOrderBodiesBase<OrderBodies> {
  using StencilOrderBodiesBase::StencilOrderBodiesBase;

  void runOnOperation() override {
    if (registers < 0) {
      emitError(getStart(getOperation()),
                "expected 'registers' of at least 0, got ")
          << registers.getValue();
      return signalPassFailure();
    }
    getOperation().walk([&](ApplyOp apply) { order(apply); });
  }

private:
  void order(ApplyOp apply) const {
    Block &body = *apply.getBodyBlock();
    if (!llvm::all_of(body.without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); }))
      return;
    if (countLiveRegisters(apply) <= registers)
      return;
    for (int round = 0; round < kMaxRounds; ++round)
      if (!shorten(apply) || !associateSums(apply, math))
        return;
    shorten(apply);
  }
};

} // namespace
