//===- LoopNest.cpp - Loops over a box ------------------------------------===//

#include "LoopNest.h"
#include "StencilDialect/Conversion/LoopHints.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

LoopBox stencil::makeBox(OpBuilder &builder, Location loc, BoundsAttr bounds,
                         const Extents &extents) {
  LoopBox box;
  for (int64_t axis = 0; axis < bounds.getRank(); ++axis) {
    box.lb.push_back(
        extents.getBound(builder, loc, bounds.getLb()[axis], axis));
    box.ub.push_back(
        extents.getBound(builder, loc, bounds.getUb()[axis], axis));
  }
  return box;
}

LogicalResult
stencil::emitLoop(OpBuilder &builder, Location loc, Value lb, Value ub,
                  int64_t step,
                  llvm::function_ref<LogicalResult(OpBuilder &, Value)> body,
                  bool vectorise) {
  Value stepValue = arith::ConstantIndexOp::create(builder, loc, step);
  auto loop = scf::ForOp::create(builder, loc, lb, ub, stepValue);
  if (!vectorise)
    keepAsLoop(loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  return body(builder, loop.getInductionVar());
}

LogicalResult stencil::emitPoints(OpBuilder &builder, Location loc,
                                  const LoopBox &box, ArrayRef<int64_t> steps,
                                  PointBody body) {
  SmallVector<Value> point;
  std::function<LogicalResult(OpBuilder &)> nest =
      [&](OpBuilder &inner) -> LogicalResult {
    size_t axis = point.size();
    if (axis == steps.size())
      return body(inner, point);
    return emitLoop(inner, loc, box.lb[axis], box.ub[axis], steps[axis],
                    [&](OpBuilder &deeper, Value position) {
                      point.push_back(position);
                      LogicalResult result = nest(deeper);
                      point.pop_back();
                      return result;
                    });
  };
  return nest(builder);
}

SmallVector<Value> stencil::getTileSizes(OpBuilder &builder, Location loc,
                                         ArrayRef<int64_t> tile) {
  return llvm::map_to_vector(tile, [&](int64_t size) -> Value {
    if (size == 0)
      return {};
    return arith::ConstantIndexOp::create(builder, loc, size);
  });
}

void stencil::joinTilesOfFewPoints(OpBuilder &builder, Location loc,
                                   const LoopBox &box, int64_t least,
                                   MutableArrayRef<Value> tile) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value points = one;
  SmallVector<Value> lengths;
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub)) {
    Value length = arith::SubIOp::create(builder, loc, ub, lb);
    // Steps of a loop are positive, also if it has none.
    lengths.push_back(arith::MaxSIOp::create(builder, loc, length, one));
    points = arith::MulIOp::create(builder, loc, points, lengths.back());
  }
  Value isSmall = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, points,
      arith::ConstantIndexOp::create(builder, loc, least));
  for (auto [size, length] : llvm::zip_equal(tile, lengths))
    if (size)
      size = arith::SelectOp::create(builder, loc, isSmall, length, size);
}

LogicalResult stencil::emitTiles(OpBuilder &builder, Location loc,
                                 const LoopBox &box, ArrayRef<Value> tile,
                                 bool parallel, TileBody body, int64_t deal) {
  SmallVector<Value> lbs, ubs, steps;
  for (auto [axis, size] : llvm::enumerate(tile)) {
    if (!size)
      continue;
    lbs.push_back(box.lb[axis]);
    ubs.push_back(box.ub[axis]);
    steps.push_back(size);
  }
  auto tileOf = [&](OpBuilder &inner, ValueRange starts) {
    LoopBox part = box;
    unsigned next = 0;
    for (auto [axis, size] : llvm::enumerate(tile)) {
      if (!size)
        continue;
      part.lb[axis] = starts[next];
      Value end = arith::AddIOp::create(inner, loc, starts[next], steps[next]);
      part.ub[axis] = arith::MinSIOp::create(inner, loc, end, box.ub[axis]);
      ++next;
    }
    return part;
  };
  if (lbs.empty())
    return body(builder, box);
  OpBuilder::InsertionGuard guard(builder);
  if (parallel) {
    auto loop = scf::ParallelOp::create(builder, loc, lbs, ubs, steps);
    if (deal > 0)
      loop->setAttr(kDealAttr, builder.getI64IntegerAttr(deal));
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    LoopBox part = tileOf(builder, loop.getInductionVars());
    return body(builder, part);
  }
  scf::LoopNest nest = scf::buildLoopNest(builder, loc, lbs, ubs, steps);
  scf::ForOp innermost = nest.loops.back();
  builder.setInsertionPoint(innermost.getBody()->getTerminator());
  LoopBox part =
      tileOf(builder, llvm::map_to_vector(nest.loops, [](scf::ForOp loop) {
               return loop.getInductionVar();
             }));
  return body(builder, part);
}
