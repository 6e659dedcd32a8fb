//===- StageWriter.cpp - The stages of a kernel ---------------------------===//
//
// A stage is given a source of a ring or a field, or values that threads hold:
// for neighbours that a thread keeps, one input for each offset. What no result
// depends on is not given.
//
//===----------------------------------------------------------------------===//

#include "KernelWriter.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What a stage is given
//===----------------------------------------------------------------------===//

void stencil::eraseDead(Block *body) {
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&inner))
      inner.erase();
}

/// What a stage reads of a window that has neighbours in registers: one input
/// for each offset in the plane.
void StageWriter::splitNeighbours(ApplyOp stage, unsigned index,
                                  WindowOp window,
                                  SmallVectorImpl<Value> &given) {
  const std::optional<int64_t> &axis = pipeline.axis;
  Block *body = stage.getBodyBlock();
  BlockArgument whole = body->getArgument(index);
  ArrayRef<SmallVector<int64_t>> offsets =
      draft.queues.find(window)->second.offsets;
  SmallVector<Value> arguments(offsets.size());
  // In the order of the body.
  body->walk([&](AccessOp access) {
    if (access.getTemp() != whole)
      return;
    SmallVector<int64_t> inPlane(access.getOffset().getValues());
    SmallVector<int64_t> along(inPlane.size(), 0);
    if (axis)
      along[*axis] = std::exchange(inPlane[*axis], 0);
    size_t number = llvm::find(offsets, inPlane) - offsets.begin();
    Value &argument = arguments[number];
    if (!argument) {
      argument = body->addArgument(whole.getType(), whole.getLoc());
      given.push_back(queues.getNeighbours(window)[number]);
    }
    access.getTempMutable().assign(argument);
    access.setOffsetAttr(stencil::IndexAttr::get(stage.getContext(), along));
  });
}

/// What a stage is given, argument by argument of its body. Those that no
/// result depends on are gone, and what only its sums or lanes have read.
SmallVector<Value> StageWriter::getInputs(ApplyOp stage) {
  Block *body = stage.getBodyBlock();
  eraseDead(body);
  ArrayRef<StageExtra> beside = extras[stage];
  SmallVector<Value> given, others;
  llvm::BitVector gone(body->getNumArguments());
  for (auto [index, value] : llvm::enumerate(stage.getArgs())) {
    auto window = value.getDefiningOp<WindowOp>();
    bool isRead =
        !isa<GridType>(value.getType()) || pipeline.plan.isNeeded(value);
    if (body->getArgument(index).use_empty() && (!isRead || !beside.empty())) {
      gone.set(index);
    } else if (!isRead) {
      given.push_back(ub::PoisonOp::create(
          builder, stage.getLoc(),
          draft.chains.getHeldType(stage, getElementType(value),
                                   pipeline.plan.getLead(stage)),
          ub::PoisonAttr::get(stage.getContext())));
    } else if (window && !queues.getNeighbours(window).empty()) {
      splitNeighbours(stage, index, window, others);
      gone.set(index);
    } else {
      given.push_back(inputs.get(value));
    }
  }
  unsigned first = stage.getArgs().size();
  for (auto [index, extra] : llvm::enumerate(beside)) {
    if (body->getArgument(first + index).use_empty())
      gone.set(first + index);
    else
      given.push_back(extra.value);
  }
  gone.resize(body->getNumArguments());
  body->eraseArguments(gone);
  llvm::append_range(given, others);
  return given;
}

/// What is computed for a stage before it. It stands in front of a tile.where.
LogicalResult StageWriter::addExtras(ApplyOp stage) {
  SmallVector<StageExtra> &beside = extras[stage];
  lanes.split(stage, beside);
  return addSums(stage, beside);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

SmallVector<Type> StageWriter::getResultTypes(ApplyOp stage) const {
  SmallVector<Type> types;
  for (Value result : stage.getRes())
    types.push_back(draft.chains.getHeldType(stage, getElementType(result),
                                             pipeline.plan.getLead(stage)));
  return types;
}

/// The stage of the kernel, which takes the body.
ApplyOp StageWriter::move(ApplyOp stage, ValueRange given) {
  ApplyOp moved = moveStage(builder, stage, getResultTypes(stage), given);
  draft.chains.setLayout(stage, moved);
  writer.tellPlane(moved);
  return moved;
}

/// What a stage reads in a field is read where somebody needs it, and what
/// nobody needs does not fail.
LogicalResult StageWriter::add(ApplyOp stage) {
  if (failed(addExtras(stage)))
    return failure();
  if (inputs.isMade(stage))
    return success();
  ArrayRef<StageExtra> beside = extras[stage];
  std::optional<WantedPlanes> planes = draft.guards.findPlanesOf(stage, beside);
  SmallVector<Value> given = getInputs(stage);
  SmallVector<Value> results(stage.getRes());
  SmallVector<Value> made = writer.makeWhere(
      stage.getLoc(), getResultTypes(stage), pipeline.getGuard(stage),
      draft.reads.isGuarded(stage, beside), planes,
      [&]() -> ValueRange { return move(stage, given).getRes(); });
  for (auto [result, value] : llvm::zip_equal(results, made))
    inputs.set(result, value);
  return success();
}

SmallVector<ApplyOp> StageWriter::listFinals() const {
  SmallVector<ApplyOp> finals;
  for (ApplyOp stage : pipeline.getOps<ApplyOp>())
    if (draft.chains.isFinal(stage) && pipeline.isNeeded(stage))
      finals.push_back(stage);
  return finals;
}

LogicalResult StageWriter::prepareFinals() {
  SmallVector<ApplyOp> finals = listFinals();
  for (ApplyOp stage : finals)
    if (failed(addExtras(stage)))
      return failure();
  for (ApplyOp stage : finals)
    for (Value input : stage.getArgs()) {
      auto maker = input.getDefiningOp<ApplyOp>();
      auto window = input.getDefiningOp<WindowOp>();
      bool isRead =
          !isa<GridType>(input.getType()) || pipeline.plan.isNeeded(input);
      if (isRead && !(maker && draft.chains.isFinal(maker)) &&
          !(window && !queues.getNeighbours(window).empty()))
        inputs.get(input);
    }
  return success();
}

void StageWriter::addFinals() {
  for (ApplyOp stage : listFinals()) {
    if (inputs.isMade(stage))
      continue;
    SmallVector<Value> results(stage.getRes());
    ApplyOp moved = move(stage, getInputs(stage));
    for (auto [result, value] : llvm::zip_equal(results, moved.getRes()))
      inputs.set(result, value);
  }
}

//===----------------------------------------------------------------------===//
// Sums that engines compute for a whole tile
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
//===----------------------------------------------------------------------===//

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
FailureOr<Value> StageWriter::addSum(ApplyOp stage, WeightedSumOp sum,
                                     Attribute engine) {
  Location loc = sum.getLoc();
  Value input = stage.getInput(sum.getInput());
  auto window = input.getDefiningOp<WindowOp>();
  if (!window || !draft.rings.contains(window))
    return sum.emitOpError("expected a shared window of memory for ") << engine;
  if (pipeline.axis && isa<tile::TapsAttr>(engine))
    return sum.emitOpError("expected a pipeline without a walk for a loop over "
                           "taps");
  Type type = draft.chains.getHeldType(stage, sum.getRes().getType(),
                                       pipeline.plan.getLead(stage));
  auto made = ApplyOp::create(builder, loc, TypeRange(type), inputs.get(input));
  made->setDiscardableAttr(tile::TileDialect::kEngineAttrName, engine);
  draft.chains.setLayout(stage, made);
  Block *body = made.getBodyBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  mapping.map(sum.getInput(), body->getArgument(0));
  Operation *copy = inside.clone(*sum, mapping);
  copy->removeDiscardableAttr(kMatrixProductAttr);
  ReturnOp::create(inside, loc, copy->getResult(0));
  Value result = stage.getBodyBlock()->addArgument(type, loc);
  OpBuilder there(sum);
  sum.getRes().replaceAllUsesWith(
      AccessOp::create(there, loc, result).getRes());
  sum.erase();
  return made.getRes().front();
}

LogicalResult StageWriter::addSums(ApplyOp stage,
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
    if (!from || from.getArgNumber() < given || !access.getOffset().isZero())
      return success();
    results.push_back(extras[from.getArgNumber() - given].value);
  }
  for (auto [result, value] : llvm::zip_equal(stage.getRes(), results))
    inputs.set(result, value);
  return success();
}
