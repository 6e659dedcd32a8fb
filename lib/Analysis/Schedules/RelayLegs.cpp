//===- RelayLegs.cpp - Whether stages are equal legs ----------------------===//

#include "StencilDialect/Analysis/RelayLegs.h"
#include "StencilDialect/IR/Casts.h"
#include "StencilDialect/IR/DiscardableAttrs.h"

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

/// What a value is read of, and where: a sum of one tap of weight one, as steps
/// that have become one body read each other, is a read as well.
static std::optional<std::pair<Value, SmallVector<int64_t>>>
getRead(Value value) {
  if (auto access = value.getDefiningOp<AccessOp>())
    return std::pair(access.getTemp(),
                     llvm::to_vector(access.getOffset().getValues()));
  auto sum = value.getDefiningOp<WeightedSumOp>();
  if (!sum || !sum.isOverInput() || sum.getNumTaps() != 1 ||
      !sum.getDenseWeights() || sum.getAxes().size() != sum.getOffset(0).size())
    return std::nullopt;
  auto weight = (*sum.getDenseWeights().value_begin<Attribute>());
  auto number = dyn_cast<FloatAttr>(weight);
  if (!number || !number.getValue().isExactlyValue(1.0))
    return std::nullopt;
  return std::pair(Value(sum.getInput()), llvm::to_vector(sum.getOffset(0)));
}

bool StageComparison::areEqual(Operation *one, Operation *other) {
  return one->getName() == other->getName() &&
         one->getAttrDictionary() == other->getAttrDictionary() &&
         one->getNumRegions() == 0 && other->getNumRegions() == 0 &&
         llvm::equal(one->getResultTypes(), other->getResultTypes()) &&
         llvm::all_of_zip(
             one->getOperands(), other->getOperands(),
             [&](Value from, Value to) { return areEqual(from, to); });
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
  auto read = getRead(one), otherRead = getRead(other);
  if (read && otherRead)
    return read->second == otherRead->second &&
           areEqual(read->first, otherRead->first);
  auto [result, isNew] = known.try_emplace({one, other}, true);
  if (!isNew)
    return result->second;
  bool isEqual = cast<OpResult>(one).getResultNumber() ==
                     cast<OpResult>(other).getResultNumber() &&
                 areEqual(one.getDefiningOp(), other.getDefiningOp());
  return known[{one, other}] = isEqual;
}

//===----------------------------------------------------------------------===//
// Legs
//===----------------------------------------------------------------------===//

bool stencil::isZeroAround(WindowOp window, LoadOp load) {
  auto isPositiveZero = [](Attribute condition) {
    HaloRule rule = getHaloRule(condition);
    auto value = rule.isConstant() ? dyn_cast<FloatAttr>(rule.value) : nullptr;
    return value && value.getValue().isPosZero();
  };
  return *window.getBounds() == getBounds(load.getField()) &&
         llvm::all_of(*window.getConditions(), isPositiveZero);
}

/// What a stage makes: one value, by itself or as a sum of its results.
static FailureOr<Value> findMade(ApplyOp stage) {
  AccumulateOp sum;
  for (Operation *user : stage->getUsers())
    if (auto found = dyn_cast<AccumulateOp>(user)) {
      bool isOther = sum && sum != found;
      bool isPart = llvm::any_of(found.getTerms(), [&](Value term) {
        return term.getDefiningOp() != stage;
      });
      if (isOther || isPart)
        return found.emitOpError("expected one accumulation of one stage for "
                                 "'relay'");
      sum = found;
    }
  if (sum)
    return sum.getRes();
  if (stage.getRes().size() == 1)
    return stage.getRes().front();
  return stage.emitOpError("expected one result for 'relay', got ")
         << stage.getRes().size();
}

/// Checks that each stage reads nothing but windows of what the one before it
/// makes, the first one those of the load, and numbers.
static LogicalResult checkChain(RelayLegs &legs) {
  Operation *before = legs.load;
  for (ApplyOp stage : legs.stages) {
    for (Value operand : stage.getArgs()) {
      auto window = operand.getDefiningOp<WindowOp>();
      if (!isa<GridType>(operand.getType()))
        continue;
      if (!window || lookThroughWindows(operand).getDefiningOp() != before)
        return stage.emitOpError("expected to read windows of the stage before "
                                 "it only, for 'relay'");
      if (before != legs.load &&
          (window.getSpace() != Space::Shuffle || window.getExchange()))
        return window.emitOpError("expected a shuffle window without "
                                  "'exchange' for 'relay'");
      if (getWithin(window))
        return window.emitOpError("expected no '")
               << kWithinAttr << "' for 'relay'";
    }
    FailureOr<Value> made = findMade(stage);
    if (failed(made))
      return failure();
    legs.made.push_back(*made);
    before = made->getDefiningOp();
  }
  return success();
}

/// Whether what two stages make is summed alike.
static bool areSummedAlike(Value one, Value other) {
  auto sum = one.getDefiningOp<AccumulateOp>();
  auto otherSum = other.getDefiningOp<AccumulateOp>();
  if (!sum || !otherSum)
    return !sum && !otherSum;
  auto getNumber = [](Value term) {
    return cast<OpResult>(term).getResultNumber();
  };
  return sum.getPlanes() == otherSum.getPlanes() &&
         llvm::equal(llvm::map_range(sum.getTerms(), getNumber),
                     llvm::map_range(otherSum.getTerms(), getNumber));
}

FailureOr<RelayLegs> RelayLegs::find(PipelineOp op, const PipelinePlan &plan,
                                     int64_t legs) {
  Block *body = op.getBodyBlock();
  RelayLegs found;
  llvm::append_range(found.stages, body->getOps<ApplyOp>());
  SmallVector<LoadOp> loads(body->getOps<LoadOp>());
  SmallVector<StoreOp> stores(body->getOps<StoreOp>());
  if (!op.getWalkAxis() || op.getStep() != 1 || loads.size() != 1 ||
      stores.size() != 1)
    return op.emitOpError("expected a walk over one load, plane by plane, with "
                          "one store, for 'relay'");
  found.load = loads.front();
  found.store = stores.front();
  ArrayRef<ApplyOp> stages = found.stages;
  if (stages.size() % legs != 0)
    return op.emitOpError("expected a multiple of ")
           << legs << " stages for 'relay = " << legs << "', got "
           << stages.size();
  if (failed(checkChain(found)))
    return failure();
  if (found.store.getTemp() != found.made.back() ||
      plan.getLead(found.store) != 0)
    return op.emitOpError("expected plane p of the last stage to be stored for "
                          "'relay'");
  size_t length = stages.size() / legs;
  for (size_t stage = length; stage < stages.size(); ++stage)
    if (ApplyOp own = stages[stage];
        !areSummedAlike(found.made[stage - length], found.made[stage]) ||
        !StageComparison(stages[stage - length], own).run())
      return own.emitOpError("expected a stage that computes the same as the "
                             "one ")
             << length << " before it, for 'relay = " << legs << "'";
  for (WindowOp window : body->getOps<WindowOp>())
    if (window.isOfLoad() && window.getSpace() == Space::Shared)
      found.shared = window;
  if (!found.shared || found.shared.getGroupNumber() ||
      (found.shared.hasBoundary() && !isZeroAround(found.shared, found.load)))
    return op.emitOpError("expected a shared window of the load, without a "
                          "boundary but zeros around the field, and in no "
                          "group, for 'relay'");
  return found;
}
