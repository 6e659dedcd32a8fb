//===- OnlySum.cpp - Stages that are a weighted sum -----------------------===//

#include "StencilDialect/Tile/OnlySum.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/TapBoxes.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

WeightedSumOp tile::getOnlySum(ApplyOp stage) {
  Block *body = stage.getBodyBlock();
  if (!llvm::hasNItems(*body, 2))
    return {};
  auto sum = dyn_cast<WeightedSumOp>(body->front());
  return sum && sum.isOverInput() &&
                 llvm::equal(body->getTerminator()->getOperands(),
                             ValueRange(sum.getRes()))
             ? sum
             : WeightedSumOp();
}

FailureOr<RingType>
tile::checkOnlySum(ApplyOp stage,
                   llvm::function_ref<InFlightDiagnostic()> fail) {
  WeightedSumOp sum = getOnlySum(stage);
  if (!sum || stage.getArgs().size() != 1)
    return fail() << "expected a body of one stencil.weighted_sum of the one "
                     "input, and its return";
  auto source = stage.getArgs().front().getDefiningOp<SourceOp>();
  auto ring =
      source ? dyn_cast<RingType>(source.getMemory().getType()) : RingType();
  if (!ring)
    return fail() << "expected a tile.source of a ring as input";
  if (!hasOwnWeights(sum))
    return fail() << "expected constant weights of type "
                  << sum.getRes().getType() << ", that of the sum";
  bool hasTap = false;
  forEachTap(sum, [&](int64_t, bool) { hasTap = true; });
  if (!hasTap)
    return fail() << "expected a tap with a weight that is not 0";
  return ring;
}
