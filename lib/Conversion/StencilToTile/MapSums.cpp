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
// and likewise with #tile.mma for {stencil.matrix_product = #tile.mma<...>}.
// The first one is outside of a tile.where: all threads compute all of their
// points.
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/Tile/MatrixProduct.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace stencil;

/// The engine that computes a sum apart from its stage; null if none does.
static Attribute getEngineApart(WeightedSumOp sum) {
  if (Attribute product = sum->getDiscardableAttr(kMatrixProductAttr))
    return product;
  return hasTapLoop(sum) ? tile::TapsAttr::get(sum.getContext()) : Attribute();
}

SmallVector<tile::EngineAttrInterface> stencil::chooseEngines(ApplyOp stage,
                                                              unsigned input) {
  llvm::SmallSetVector<Attribute, 2> engines;
  for (Operation *user : stage.getBodyBlock()->getArgument(input).getUsers()) {
    auto sum = dyn_cast<WeightedSumOp>(user);
    Attribute apart = sum ? getEngineApart(sum) : Attribute();
    engines.insert(apart ? apart : tile::FmaAttr::get(stage.getContext()));
  }
  return llvm::map_to_vector(engines, llvm::CastTo<tile::EngineAttrInterface>);
}

/// The stage of one sum; the stage that it was in reads its result, as a new
/// input.
LogicalResult PipelineMapper::addSumApart(ApplyOp stage, WeightedSumOp sum,
                                          Attribute engine) {
  Location loc = sum.getLoc();
  auto argument = cast<BlockArgument>(sum.getInput());
  Value input = stage.getArgs()[argument.getArgNumber()];
  auto window = input.getDefiningOp<WindowOp>();
  if (!window || !rings.contains(window))
    return sum.emitOpError("expected a shared window of memory for ") << engine;
  if (axis && isa<tile::TapsAttr>(engine))
    return sum.emitOpError("expected a pipeline without a walk for a loop over "
                           "taps");
  Type type = getHeldType(stage, sum.getRes().getType(), plan.getLead(stage));
  auto made = ApplyOp::create(builder, loc, TypeRange(type), getInput(input));
  made->setDiscardableAttr(tile::TileDialect::kEngineAttrName, engine);
  setLayout(stage, made);
  Block *body = made.getBodyBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  mapping.map(argument, body->getArgument(0));
  Operation *copy = inside.clone(*sum, mapping);
  copy->removeDiscardableAttr(kMatrixProductAttr);
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

LogicalResult PipelineMapper::addSumsApart(ApplyOp stage) {
  for (auto sum : llvm::make_early_inc_range(
           stage.getBodyBlock()->getOps<WeightedSumOp>()))
    if (Attribute engine = getEngineApart(sum);
        engine && failed(addSumApart(stage, sum, engine)))
      return failure();
  // Nothing is left of a stage that returns its sums. (A value of another lane
  // may be one of another plane.)
  unsigned given = stage.getArgs().size();
  SmallVector<Value> results;
  for (Value value : stage.getBodyBlock()->getTerminator()->getOperands()) {
    auto access = value.getDefiningOp<AccessOp>();
    auto from =
        access ? dyn_cast<BlockArgument>(access.getTemp()) : BlockArgument();
    if (!from || from.getArgNumber() < given ||
        llvm::any_of(access.getOffset().getValues(),
                     [](int64_t along) { return along != 0; }))
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
  return addSumsApart(stage);
}

/// The layout of products of matrices, which the other stages then have, too.
tile::LayoutAttr PipelineMapper::findLayout() {
  tile::LayoutAttr layout;
  op.walk([&](WeightedSumOp sum) {
    auto engine = dyn_cast_or_null<tile::MmaAttr>(
        sum->getDiscardableAttr(kMatrixProductAttr));
    if (!engine)
      return WalkResult::advance();
    SmallVector<int64_t> tile;
    for (auto [threads, points] :
         llvm::zip_equal(facts.schedule.block, facts.schedule.points))
      tile.push_back(threads * points);
    if (auto fragments =
            tile::getFragments(engine.getShape(), sum.getRes().getType()))
      layout = tile::getProductLayout(engine, *fragments, tile,
                                      llvm::product_of(facts.schedule.block));
    return WalkResult::interrupt();
  });
  return layout;
}
