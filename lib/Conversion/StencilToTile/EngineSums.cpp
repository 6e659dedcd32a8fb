//===- EngineSums.cpp - Sums that engines compute for a whole tile --------===//
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

#include "KernelWriter.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/TapBoxes.h"
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

/// The stage of one sum, whose result takes the sum's place as a new argument
/// of the stage that it was in.
FailureOr<Value> EngineSums::addSum(ApplyOp stage, WeightedSumOp sum,
                                    Attribute engine) {
  const TiledPipeline &pipeline = draft.pipeline;
  Location loc = sum.getLoc();
  auto argument = cast<BlockArgument>(sum.getInput());
  Value input = stage.getArgs()[argument.getArgNumber()];
  auto window = input.getDefiningOp<WindowOp>();
  if (!window || !draft.rings.contains(window))
    return sum.emitOpError("expected a shared window of memory for ") << engine;
  if (pipeline.axis && isa<tile::TapsAttr>(engine))
    return sum.emitOpError("expected a pipeline without a walk for a loop over "
                           "taps");
  Type type = draft.chains.getHeldType(stage, sum.getRes().getType(),
                                       pipeline.plan.getLead(stage));
  auto made =
      ApplyOp::create(writer.builder, loc, TypeRange(type), inputs.get(input));
  made->setDiscardableAttr(tile::TileDialect::kEngineAttrName, engine);
  draft.chains.setLayout(stage, made);
  Block *body = made.getBodyBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  mapping.map(argument, body->getArgument(0));
  Operation *copy = inside.clone(*sum, mapping);
  copy->removeDiscardableAttr(kMatrixProductAttr);
  ReturnOp::create(inside, loc, copy->getResult(0), stencil::IndexAttr());
  Value result = stage.getBodyBlock()->addArgument(type, loc);
  OpBuilder there(sum);
  SmallVector<int64_t> here(pipeline.getRank(), 0);
  sum.getRes().replaceAllUsesWith(
      AccessOp::create(there, loc, result, here).getRes());
  sum.erase();
  return made.getRes().front();
}

LogicalResult EngineSums::add(ApplyOp stage,
                              SmallVectorImpl<StageExtra> &extras) {
  for (auto sum : llvm::make_early_inc_range(
           stage.getBodyBlock()->getOps<WeightedSumOp>())) {
    Attribute engine = getEngineApart(sum);
    if (!engine)
      continue;
    FailureOr<Value> made = addSum(stage, sum, engine);
    if (failed(made))
      return failure();
    extras.push_back({*made});
  }
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
    results.push_back(extras[from.getArgNumber() - given].value);
  }
  for (auto [result, value] : llvm::zip_equal(stage.getRes(), results))
    inputs.set(result, value);
  return success();
}
