//===- MapRelay.cpp - Stages in legs --------------------------------------===//
//
//   %w = window shared %load
//   %q0 = window shuffle ..., %1 = apply(%q0) {f}, ..., %4 = apply(%q3) {f}
//   ...                              ... three more times ...
//   store %16
//     ==> %w = window shared %load
//         %q = window shuffle %w, %1 = apply(%q) {f}, ..., %4 = apply(...) {f}
//         %h = window shared %4 depth 2 lead 1
//         store %h
//
// where %q is not filled from %w, but by a tile.take: in the first leg from %w,
// in the others from %h of the leg before. So there is the code of one leg, and
// the registers.
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Equal stages
//===----------------------------------------------------------------------===//

namespace {

/// Whether two stages, each of one value beside numbers, compute the same.
class StageComparison {
public:
  StageComparison(ApplyOp a, ApplyOp b) : a(a), b(b) {}

  bool run() {
    return areEqual(a.getBodyBlock()->getTerminator(),
                    b.getBodyBlock()->getTerminator());
  }

private:
  bool areEqual(Operation *one, Operation *other);
  bool areEqual(Value one, Value other);

  ApplyOp a, b;
  llvm::DenseMap<std::pair<Value, Value>, bool> known;
};

} // namespace

bool StageComparison::areEqual(Operation *one, Operation *other) {
  return one->getName() == other->getName() &&
         one->getAttrDictionary() == other->getAttrDictionary() &&
         one->getNumRegions() == 0 && other->getNumRegions() == 0 &&
         one->getNumOperands() == other->getNumOperands() &&
         llvm::equal(one->getResultTypes(), other->getResultTypes()) &&
         llvm::all_of(llvm::zip(one->getOperands(), other->getOperands()),
                      [&](auto pair) {
                        return areEqual(std::get<0>(pair), std::get<1>(pair));
                      });
}

bool StageComparison::areEqual(Value one, Value other) {
  auto argument = dyn_cast<BlockArgument>(one);
  auto otherArgument = dyn_cast<BlockArgument>(other);
  if (argument || otherArgument) {
    if (!argument || !otherArgument || one.getType() != other.getType())
      return false;
    // All windows of a stage have the one value.
    return isa<GridType>(one.getType()) ||
           a.getArgs()[argument.getArgNumber()] ==
               b.getArgs()[otherArgument.getArgNumber()];
  }
  auto [result, isNew] = known.try_emplace({one, other}, true);
  if (!isNew)
    return result->second;
  bool isEqual = cast<OpResult>(one).getResultNumber() ==
                     cast<OpResult>(other).getResultNumber() &&
                 areEqual(one.getDefiningOp(), other.getDefiningOp());
  return known[{one, other}] = isEqual;
}

//===----------------------------------------------------------------------===//
// One leg
//===----------------------------------------------------------------------===//

/// What a window has a value of: through a copy of it.
static Operation *findKept(Value value) {
  Operation *def = value.getDefiningOp();
  while (auto window = dyn_cast_or_null<WindowOp>(def))
    def = window.getTemp().getDefiningOp();
  return def;
}

/// Checks that each stage reads nothing but windows of the one before it, the
/// first one those of the load, and numbers.
static LogicalResult checkChain(LoadOp load, ArrayRef<ApplyOp> stages) {
  Operation *before = load;
  for (ApplyOp stage : stages) {
    for (Value operand : stage.getArgs()) {
      auto window = operand.getDefiningOp<WindowOp>();
      if (!isa<GridType>(operand.getType()))
        continue;
      if (!window || findKept(operand) != before)
        return stage.emitOpError("expected to read windows of the stage before "
                                 "it only, for 'relay'");
      if (before != load &&
          (window.getSpace() != Space::Shuffle || window.getExchange()))
        return window.emitOpError("expected a shuffle window without "
                                  "'exchange' for 'relay'");
    }
    if (stage.getRes().size() != 1)
      return stage.emitOpError("expected one result for 'relay', got ")
             << stage.getRes().size();
    before = stage;
  }
  return success();
}

FailureOr<OffsetBox> stencil::cutLegs(PipelineOp op, int64_t legs) {
  auto plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  Block *body = op.getBodyBlock();
  SmallVector<ApplyOp> stages(body->getOps<ApplyOp>());
  SmallVector<LoadOp> loads(body->getOps<LoadOp>());
  SmallVector<StoreOp> stores(body->getOps<StoreOp>());
  if (!op.getWalkAxis() || loads.size() != 1 || stores.size() != 1 ||
      !body->getOps<AccumulateOp>().empty())
    return op.emitOpError("expected a walk over one load, with one store and "
                          "without accumulations, for 'relay'");
  if (stages.size() % legs != 0)
    return op.emitOpError("expected a multiple of ")
           << legs << " stages for 'relay = " << legs << "', got "
           << stages.size();
  if (failed(checkChain(loads.front(), stages)))
    return failure();
  size_t length = stages.size() / legs;
  for (size_t stage = length; stage < stages.size(); ++stage)
    if (!StageComparison(stages[stage - length], stages[stage]).run())
      return stages[stage].emitOpError("expected a stage that computes the "
                                       "same as the one ")
             << length << " before it, for 'relay = " << legs << "'";
  WindowOp shared;
  for (WindowOp window : body->getOps<WindowOp>())
    if (window.isOfLoad() && window.getSpace() == Space::Shared)
      shared = window;
  if (!shared || shared.hasBoundary() || plan->getLead(stores.front()) != 0)
    return op.emitOpError("expected a shared window of the load, without a "
                          "boundary, and a store of plane p, for 'relay'");
  OffsetBox needs = plan->get(loads.front().getRes()).needs;
  // The stages of the last leg are a plane ahead, which the ring at its end has
  // until it is stored.
  MLIRContext *context = op.getContext();
  auto getIndex = [&](int64_t value) {
    return mlir::IntegerAttr::get(IndexType::get(context), value);
  };
  ApplyOp last = stages[stages.size() - length - 1];
  int64_t lag = plan->getLead(last) + 1;
  for (WindowOp window : body->getOps<WindowOp>())
    if (window.getTemp() == last.getRes().front()) {
      window.getTempMutable().assign(shared.getRes());
    }
  for (ApplyOp stage : ArrayRef(stages).take_back(length))
    stage->setAttr(StageAttr::kAttrName,
                   StageAttr::get(context, plan->getLead(stage) + 1));
  OpBuilder builder(stores.front());
  Value result = stages.back().getRes().front();
  auto handed = WindowOp::create(
      builder, stores.front().getLoc(), result.getType(),
      SpaceAttr::get(context, Space::Shared), result, getIndex(2), getIndex(0),
      /*prefetch=*/PrefetchAttr());
  stores.front().getTempMutable().assign(handed.getRes());
  for (ApplyOp stage : llvm::reverse(ArrayRef(stages).drop_back(length))) {
    for (Operation *user : llvm::make_early_inc_range(stage->getUsers()))
      user->erase();
    stage.erase();
  }
  for (WindowOp window : llvm::make_early_inc_range(body->getOps<WindowOp>())) {
    if (window == shared)
      continue;
    if (window.use_empty())
      window.erase();
    else
      window.setLeadAttr(getIndex(window.getLead()->getSExtValue() + 1));
  }
  shared.setLeadAttr(getIndex(lag + shared.getDepth()->getSExtValue() - 1));
  return needs;
}

//===----------------------------------------------------------------------===//
// Planes of the first leg
//===----------------------------------------------------------------------===//

int64_t PipelineMapper::getRelayLead() const {
  if (!isRelay())
    return 0;
  for (auto &[window, ring] : rings)
    if (ring.load)
      return (facts.schedule.relay - 1) * plan.get(ring.window->getResult(0)).newest;
  return 0;
}

OffsetBox PipelineMapper::getCopied(Value window) const {
  return isRelay() ? *facts.relayNeeds : plan.get(window).needs;
}

Value PipelineMapper::takePlane(WindowOp window) {
  const MappedRing *from = nullptr, *handed = nullptr;
  for (auto &[op, ring] : rings)
    (ring.load ? from : handed) = &ring;
  return tile::TakeOp::create(
      builder, window.getLoc(),
      getTileType(getElementType(window.getRes()),
                  plan.get(window.getRes()).lead),
      from->ring, from->cursor, handed->ring, handed->cursor);
}
