//===- Fma.cpp - Stages as they are written -------------------------------===//
//
// The body of a stage, op by op, at each of a thread's points.
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <set>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

/// Points that a body returns together are those of one thread, and either all
/// in the domain or none.
LogicalResult checkUnroll(ApplyOp stage, GridAttr grid) {
  BoundsAttr domain = grid.getDomain();
  for (auto [axis, factor] : llvm::enumerate(stage.getUnrollFactors())) {
    if (factor == 1)
      continue;
    if (grid.getLayout())
      return stage.emitOpError("expected a grid without 'layout', whose "
                               "threads have neighbouring points, as the body "
                               "returns several of them, got ")
             << grid.getLayout();
    int64_t first = domain.getLb()[axis], end = domain.getUb()[axis];
    bool isKnown = !isSymbolic(first) && !isSymbolic(end);
    if (!isKnown || (end - first) % factor != 0 ||
        grid.getPoints()[axis] % factor != 0)
      return stage.emitOpError("expected a domain and points of a thread that "
                               "are multiples of ")
             << factor << " along axis " << axis
             << ", as the body returns that many at once, got " << domain
             << " and " << grid.getPoints()[axis];
    if (static_cast<int64_t>(axis) + 1 == grid.getRank() &&
        grid.getAlign() != 1)
      return stage.emitOpError(
                 "expected the first tile to begin with the "
                 "domain, as the body returns several points of a row, "
                 "got 'align = ")
             << grid.getAlign() << "'";
  }
  return success();
}

struct Fma : EngineAttrInterface::ExternalModel<Fma, FmaAttr> {
  LogicalResult check(Attribute, ApplyOp stage, KernelOp kernel) const {
    return checkUnroll(stage, kernel.getGrid());
  }

  bool takesAllThreads(Attribute) const { return false; }

  EngineCount count(Attribute, ApplyOp stage, int64_t points) const {
    EngineCount count;
    // The offsets that a thread reads of each input, for a row of points.
    std::set<std::pair<const void *, std::vector<int64_t>>> reads;
    auto addRead = [&](Value input, ArrayRef<int64_t> offset) {
      for (int64_t point = 0; point < points; ++point) {
        std::vector<int64_t> at(offset.begin(), offset.end());
        if (!at.empty())
          at.back() += point;
        reads.emplace(input.getAsOpaquePointer(), std::move(at));
      }
    };
    stage.getRegion().walk([&](Operation *op) {
      if (auto access = dyn_cast<AccessOp>(op))
        addRead(access.getTemp(), access.getOffset().getValues());
      else if (isa<arith::MulFOp, math::FmaOp>(op))
        count.products += points;
      else if (auto sum = dyn_cast<WeightedSumOp>(op))
        forEachTap(sum, [&](int64_t tap, bool isUnit) {
          count.products += isUnit ? 0 : points;
          if (sum.isOverInput())
            addRead(sum.getInput(), sum.getOffset(tap));
        });
    });
    count.values = static_cast<int64_t>(reads.size());
    return count;
  }

  LogicalResult emit(Attribute, StageEmission &emission) const {
    return emission.emitPointwise();
  }
};

} // namespace

void tile::attachFma(MLIRContext *context) {
  FmaAttr::attachInterface<Fma>(*context);
}
