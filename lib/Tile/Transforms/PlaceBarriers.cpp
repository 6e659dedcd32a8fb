//===- PlaceBarriers.cpp - Barriers between writers and readers -----------===//

#include "BarrierPlan.h"
#include "StencilDialect/Tile/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace stencil {
#define GEN_PASS_DEF_STENCILPLACEBARRIERS
#include "StencilDialect/Tile/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// What no other barrier is there for. One reason per ring and kind: others are
/// of the same planes.
static std::string explain(ArrayRef<BarrierNeed> needs, ArrayRef<int64_t> gaps,
                           int64_t gap) {
  SmallVector<std::string> reasons;
  std::set<std::tuple<int64_t, int64_t, RingAccess>> seen;
  for (const BarrierNeed &need : needs) {
    bool isMet = need.isMetBy(gap);
    bool isMetByOthers = llvm::any_of(gaps, [&](int64_t other) {
      return other != gap && need.isMetBy(other);
    });
    if (isMet && !isMetByOthers &&
        seen.insert({need.firstRing->number, need.secondRing->number,
                     need.second->access})
            .second)
      reasons.push_back(need.describe());
  }
  return llvm::join(reasons, "; ");
}

static LogicalResult placeBarriers(KernelOp kernel) {
  // Barriers of an expanded walk stay.
  if (kernel.getGrid().getWalk() &&
      kernel.getBodyBlock()->getOps<WalkOp>().empty())
    return success();
  auto program = BlockProgram::create(kernel);
  if (failed(program))
    return failure();
  std::vector<BarrierNeed> needs = findNeeds(*program);
  SmallVector<std::pair<Operation *, int64_t>> places;
  std::vector<int64_t> gaps = chooseGaps(*program, needs);
  for (int64_t gap : gaps)
    places.emplace_back(&*std::next(program->body->begin(), gap), gap);
  for (auto [op, gap] : places) {
    OpBuilder builder(op);
    BarrierOp::create(builder, op->getLoc());
    remark::passed(op->getLoc(),
                   remark::RemarkOpts::name("Barrier").category("Barriers"))
        << explain(needs, gaps, gap);
  }
  return success();
}

namespace {

struct PlaceBarriers : stencil::impl::StencilPlaceBarriersBase<PlaceBarriers> {
  void runOnOperation() override {
    auto isDone = getOperation().walk([](KernelOp kernel) {
      return failed(placeBarriers(kernel)) ? WalkResult::interrupt()
                                           : WalkResult::skip();
    });
    if (isDone.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
