//===- ValueLayouts.cpp - Who holds the values of a kernel ----------------===//

#include "StencilDialect/Tile/ValueLayouts.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

Attribute tile::getLayout(ApplyOp stage) {
  return stage->getDiscardableAttr(TileDialect::kLayoutAttrName);
}

/// What any thread may hold: nothing is known of it.
static bool isNothing(Value value) {
  Operation *def = value.getDefiningOp();
  return def && def->hasTrait<OpTrait::ConstantLike>();
}

void ValueLayouts::join(Value a, Value b) {
  if (isa<TempType>(a.getType()) && !isNothing(a) && !isNothing(b))
    classes.unionSets(a, b);
}

ValueLayouts::ValueLayouts(KernelOp kernel) : kernel(kernel) {
  auto joinAll = [&](auto &&a, auto &&b) {
    for (auto [one, other] : llvm::zip(a, b))
      join(one, other);
  };
  SmallVector<ApplyOp> stages;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ApplyOp stage) { stages.push_back(stage); })
        .Case([&](ShiftOp shift) { join(shift.getRes(), shift.getValues()); })
        .Case([&](JoinOp joined) {
          for (Value plane : joined.getPlanes())
            join(joined.getRes(), plane);
        })
        .Case([&](WhereOp where) {
          joinAll(where.getRes(),
                  where.getBodyBlock()->getTerminator()->getOperands());
        })
        .Case([&](WalkOp walk) {
          joinAll(walk.getCarried(), walk.getInits());
          joinAll(walk.getCarried(),
                  walk.getBodyBlock()->getTerminator()->getOperands());
          joinAll(walk.getRes(), walk.getCarried());
        })
        .Case([&](LoopLikeOpInterface loop) {
          joinAll(loop.getRegionIterArgs(), loop.getInits());
          joinAll(loop.getRegionIterArgs(), loop.getYieldedValues());
          if (auto results = loop.getLoopResults())
            joinAll(*results, loop.getRegionIterArgs());
        });
    return isa<ApplyOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (ApplyOp stage : stages)
    for (Value result : stage.getRes())
      makers.try_emplace(getLeader(result), stage);
}

Value ValueLayouts::getLeader(Value value) const {
  auto known = classes.findLeader(value);
  return known == classes.member_end() ? value : *known;
}

bool ValueLayouts::isMade(Value value) const {
  return makers.contains(getLeader(value));
}

Attribute ValueLayouts::get(Value value) const {
  auto known = makers.find(getLeader(value));
  return known == makers.end() ? Attribute() : tile::getLayout(known->second);
}

/// That a stage may read a value where it computes.
static LogicalResult verifyRead(ApplyOp stage, Value value, Attribute layout) {
  Attribute own = tile::getLayout(stage);
  // Its points are among those of any rim's core.
  bool isCore = !own && isa_and_nonnull<CoreAndRimAttr>(layout);
  if (layout == own || isCore)
    return success();
  InFlightDiagnostic diagnostic = stage.emitOpError(
      "expected to read values of its own layout, which its threads hold, got "
      "values of ");
  if (layout)
    diagnostic << layout;
  else
    diagnostic << "the kernel's layout";
  diagnostic.attachNote(value.getLoc()) << "the values are these";
  return diagnostic;
}

LogicalResult ValueLayouts::verify() const {
  return checkWithin<
      WalkOrder::PreOrder>(KernelOp(kernel).getBody(), [&](Operation *op) {
    auto stage = dyn_cast<ApplyOp>(op);
    if (!stage)
      return WalkResult::advance();
    for (Value result : stage.getRes()) {
      ApplyOp first = makers.find(getLeader(result))->second;
      if (tile::getLayout(first) == tile::getLayout(stage))
        continue;
      return WalkResult(withNote(
          stage.emitOpError(
              "expected the layout of the values that its results are joined "
              "with"),
          first.getLoc(), "they are made here"));
    }
    for (Value operand : stage.getArgs())
      if (isa<TempType>(operand.getType()) &&
          !operand.getDefiningOp<SourceOp>() && isMade(operand) &&
          failed(verifyRead(stage, operand, get(operand))))
        return WalkResult::interrupt();
    return WalkResult::skip();
  });
}
