//===- MapSums.cpp - Sums that engines compute for a whole tile -----------===//
//
//   %r = stencil.apply(%x = %w, %y = %z) {
//     %s = stencil.weighted_sum %x ... {stencil.tap_loop}
//     ... of %s and %y ...
//   }
//     ==> %s = stencil.apply(%x = %w) attributes {tile.engine = #tile.taps} {
//           %0 = stencil.weighted_sum %x ...
//           stencil.return %0
//         }
//         %r = stencil.apply(%y = %z, %t = %s) { ... of %t[0, 0] and %y ... }
//
// The first one is outside of a tile.where: all threads compute all of their
// points.
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace stencil;

SmallVector<tile::EngineAttrInterface> stencil::chooseEngines(ApplyOp stage,
                                                              unsigned input) {
  bool hasLoop = false, hasOthers = false;
  for (Operation *user : stage.getBodyBlock()->getArgument(input).getUsers()) {
    auto sum = dyn_cast<WeightedSumOp>(user);
    bool isLoop = sum && hasTapLoop(sum);
    hasLoop |= isLoop;
    hasOthers |= !isLoop;
  }
  MLIRContext *context = stage.getContext();
  SmallVector<tile::EngineAttrInterface> engines;
  if (hasLoop)
    engines.push_back(
        cast<tile::EngineAttrInterface>(tile::TapsAttr::get(context)));
  if (hasOthers)
    engines.push_back(
        cast<tile::EngineAttrInterface>(tile::FmaAttr::get(context)));
  return engines;
}

/// The stage of one sum; the stage that it was in reads its result, as a new
/// input.
LogicalResult PipelineMapper::addTapLoop(ApplyOp stage, WeightedSumOp sum) {
  Location loc = sum.getLoc();
  auto argument = cast<BlockArgument>(sum.getInput());
  Value input = stage.getArgs()[argument.getArgNumber()];
  auto window = input.getDefiningOp<WindowOp>();
  if (axis || !window || !rings.contains(window))
    return sum.emitOpError("expected a shared window of memory in a pipeline "
                           "without a walk for a loop over taps");
  Type type = getHeldType(stage, sum.getRes().getType(), 0);
  auto made = ApplyOp::create(builder, loc, TypeRange(type), getInput(input));
  made->setDiscardableAttr(tile::TileDialect::kEngineAttrName,
                           tile::TapsAttr::get(getContext()));
  setLayout(stage, made);
  Block *body = made.getBodyBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  mapping.map(argument, body->getArgument(0));
  Operation *copy = inside.clone(*sum, mapping);
  ReturnOp::create(inside, loc, copy->getResult(0), stencil::IndexAttr());
  extras[stage].push_back(made.getRes().front());
  Value result = stage.getBodyBlock()->addArgument(type, loc);
  OpBuilder there(sum);
  SmallVector<int64_t> here(grid.getRank(), 0);
  sum.getRes().replaceAllUsesWith(
      AccessOp::create(there, loc, result, here).getRes());
  sum.erase();
  return success();
}

LogicalResult PipelineMapper::addTapLoops(ApplyOp stage) {
  for (auto sum : llvm::make_early_inc_range(
           stage.getBodyBlock()->getOps<WeightedSumOp>()))
    if (hasTapLoop(sum) && failed(addTapLoop(stage, sum)))
      return failure();
  // Nothing is left of a stage that returns its sums.
  unsigned given = stage.getArgs().size();
  SmallVector<Value> results;
  for (Value value : stage.getBodyBlock()->getTerminator()->getOperands()) {
    auto access = value.getDefiningOp<AccessOp>();
    auto from =
        access ? dyn_cast<BlockArgument>(access.getTemp()) : BlockArgument();
    if (!from || from.getArgNumber() < given)
      return success();
    results.push_back(extras[stage][from.getArgNumber() - given]);
  }
  for (auto [result, value] : llvm::zip_equal(stage.getRes(), results))
    values[result] = value;
  return success();
}

/// What is computed for a stage before it. It stands in front of a tile.where.
LogicalResult PipelineMapper::addExtras(ApplyOp stage) {
  splitLanes(stage);
  return addTapLoops(stage);
}
