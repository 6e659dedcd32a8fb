//===- InnerBodies.cpp - Bodies at points of which more is known ----------===//
//
//   stencil.apply { %i = stencil.index 1, %c = %i == 0, arith.select %c, %a, %b
//   }
//     ==> in a box of which no point has the coordinate 0
//         stencil.apply { %b }
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/IndexRegions.h"
#include "WalkExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;

GridBox tile::makeOpenBox(int64_t rank) {
  // Sums of coordinates stay numbers.
  constexpr int64_t kFarthest = int64_t(1) << 40;
  GridBox box;
  box.lb.assign(rank, -kFarthest);
  box.ub.assign(rank, kFarthest);
  return box;
}

static void decide(ApplyOp stage, const GridBox &box) {
  llvm::DenseMap<Value, bool> known =
      findKnownConditions(stage, box, IndexRegionOptions());
  stage.getRegion().walk([&](arith::SelectOp select) {
    if (auto found = known.find(select.getCondition()); found != known.end())
      select.replaceAllUsesWith(found->second ? select.getTrueValue()
                                              : select.getFalseValue());
  });
  // What is a part of other conditions.
  stage.getRegion().walk([&](Operation *op) {
    if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>())
      return;
    auto found = known.find(op->getResult(0));
    if (found == known.end() || op->use_empty())
      return;
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(arith::ConstantIntOp::create(
        builder, op->getLoc(), found->second ? 1 : 0, 1));
  });
  // Users first, and what is in an op before it.
  stage->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != stage && isOpTriviallyDead(op))
      op->erase();
  });
}

void tile::decideWithin(Operation *op, const GridBox &box) {
  op->walk([&](ApplyOp stage) { decide(stage, box); });
}
