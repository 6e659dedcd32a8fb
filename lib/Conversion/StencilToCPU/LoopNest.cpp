//===- LoopNest.cpp - Loops over a box ------------------------------------===//

#include "LoopNest.h"
#include "StencilDialect/Conversion/SumLoops.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

LoopBox LoopBuilder::makeBox(BoundsAttr bounds, const Extents &extents) {
  LoopBox box;
  for (auto [axis, lb, ub] : llvm::enumerate(bounds.getLb(), bounds.getUb())) {
    box.lb.push_back(extents.getBound(*this, getLoc(), lb, axis));
    box.ub.push_back(extents.getBound(*this, getLoc(), ub, axis));
  }
  return box;
}

LogicalResult LoopBuilder::emitLoop(Value lb, Value ub, int64_t step,
                                    LoopBody body, bool vectorise) {
  auto loop = scf::ForOp::create(*this, lb, ub, constant(step));
  if (!vectorise)
    keepAsLoop(loop);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(loop.getBody()->getTerminator());
  return body(loop.getInductionVar());
}

LogicalResult LoopBuilder::emitPoints(const LoopBox &box,
                                      ArrayRef<int64_t> steps, PointBody body) {
  SmallVector<Value> point;
  std::function<LogicalResult()> nest = [&]() -> LogicalResult {
    size_t axis = point.size();
    if (axis == steps.size())
      return body(point);
    return emitLoop(box.lb[axis], box.ub[axis], steps[axis],
                    [&](Value position) {
                      point.push_back(position);
                      LogicalResult result = nest();
                      point.pop_back();
                      return result;
                    });
  };
  return nest();
}

LogicalResult LoopBuilder::emitIf(Value condition, BranchBody body,
                                  BranchBody otherwise) {
  auto branch = scf::IfOp::create(*this, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(*this);
  if (otherwise) {
    setInsertionPoint(branch.elseBlock()->getTerminator());
    if (failed(otherwise()))
      return failure();
  }
  setInsertionPoint(branch.thenBlock()->getTerminator());
  return body();
}

SmallVector<Value> LoopBuilder::getTileSizes(ArrayRef<int64_t> tile) {
  return llvm::map_to_vector(
      tile, [&](int64_t size) { return size == 0 ? Value() : constant(size); });
}

void LoopBuilder::joinTilesOfFewPoints(const LoopBox &box, int64_t least,
                                       MutableArrayRef<Value> tile) {
  Value one = constant(1), points = one;
  SmallVector<Value> lengths;
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub)) {
    // Steps of a loop are positive, also if it has none.
    lengths.push_back(larger(subtract(ub, lb), one));
    points = multiply(points, lengths.back());
  }
  Value isSmall = compare(arith::CmpIPredicate::slt, points, constant(least));
  for (auto [size, length] : llvm::zip_equal(tile, lengths))
    if (size)
      size = arith::SelectOp::create(*this, isSmall, length, size);
}

LogicalResult LoopBuilder::emitTiles(const LoopBox &box, ArrayRef<Value> tile,
                                     bool parallel, TileBody body,
                                     int64_t deal) {
  SmallVector<Value> lbs, ubs, steps;
  for (auto [axis, size] : llvm::enumerate(tile)) {
    if (!size)
      continue;
    lbs.push_back(box.lb[axis]);
    ubs.push_back(box.ub[axis]);
    steps.push_back(size);
  }
  auto tileAt = [&](ValueRange starts) {
    LoopBox part = box;
    unsigned next = 0;
    for (auto [axis, size] : llvm::enumerate(tile)) {
      if (!size)
        continue;
      part.lb[axis] = starts[next];
      part.ub[axis] = smaller(add(starts[next], steps[next]), box.ub[axis]);
      ++next;
    }
    return part;
  };
  if (lbs.empty())
    return body(box);
  OpBuilder::InsertionGuard guard(*this);
  if (parallel) {
    auto loop = scf::ParallelOp::create(*this, lbs, ubs, steps);
    if (deal > 0)
      loop->setAttr(kDealAttr, getI64IntegerAttr(deal));
    setInsertionPoint(loop.getBody()->getTerminator());
    return body(tileAt(loop.getInductionVars()));
  }
  scf::LoopNest nest = scf::buildLoopNest(*this, getLoc(), lbs, ubs, steps);
  setInsertionPoint(nest.loops.back().getBody()->getTerminator());
  return body(tileAt(llvm::map_to_vector(
      nest.loops, [](scf::ForOp loop) { return loop.getInductionVar(); })));
}
