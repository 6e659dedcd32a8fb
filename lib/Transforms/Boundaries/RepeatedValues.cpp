//===- RepeatedValues.cpp - Values that repeat with the box ---------------===//

#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Footprint.h"
#include "WrappedValues.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;
using llvm::SmallBitVector;

bool RepeatedValues::isReached(WindowOp window, int64_t axis,
                               bool upper) const {
  OffsetBox beyond = plan.getReach(window);
  return (upper ? beyond.upper : beyond.lower)[axis] > 0;
}

/// Whether a window has the same again as many points further as the box of the
/// stores is long.
bool RepeatedValues::wrapsAround(WindowOp window, int64_t axis) const {
  if (!window.hasBoundary() ||
      !getHaloRule(window.getCondition(axis, /*upper=*/false)).wraps())
    return false;
  int64_t lower =
      window.getBounds()->getLb()[axis] - plan.getDomain().getLb()[axis];
  int64_t upper =
      window.getBounds()->getUb()[axis] - plan.getDomain().getUb()[axis];
  return lower == upper && (lower == 0 || window.isOfLoad());
}

bool RepeatedValues::keepsOthers(WindowOp window, int64_t firstAxis) const {
  if (!window.hasBoundary())
    return false;
  for (int64_t axis = firstAxis, rank = axes.size(); axis < rank; ++axis)
    for (bool upper : {false, true})
      if (isReached(window, axis, upper) &&
          getHaloRule(window.getCondition(axis, upper)).isKept())
        return true;
  return false;
}

SmallBitVector RepeatedValues::findOfWindow(WindowOp window) {
  SmallBitVector result = find(window.getTemp());
  if (getWithin(window))
    return SmallBitVector(axes.size());
  if (!window.hasBoundary())
    return result;
  for (unsigned axis : axes.set_bits()) {
    if (wrapsAround(window, axis))
      result[axis] = !keepsOthers(window, axis + 1);
    else if (isReached(window, axis) || keepsOthers(window, 0))
      result.reset(axis);
  }
  return result;
}

/// A stage does if nothing of its body knows where a point is, and what it
/// reads does.
SmallBitVector RepeatedValues::findOfStage(ApplyOp stage) {
  SmallBitVector result = axes;
  stage.getBodyBlock()->walk([&](Operation *inner) {
    for (unsigned axis : axes.set_bits())
      if (usesCoordinate(inner, axis))
        result.reset(axis);
  });
  Footprint(stage).forEachRead([&](const InputRead &read) {
    SmallBitVector kept = find(stage.getInput(read.input));
    SmallBitVector has(axes.size());
    for (int64_t axis : read.axes)
      has.set(axis);
    // Along axes that it has not, an input is the same everywhere.
    kept |= has.flip();
    result &= kept;
  });
  return result;
}

SmallBitVector RepeatedValues::find(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  SmallBitVector result(axes.size());
  Operation *def = value.getDefiningOp();
  if (auto window = dyn_cast<WindowOp>(def)) {
    result = findOfWindow(window);
  } else if (auto stage = dyn_cast<ApplyOp>(def)) {
    result = findOfStage(stage);
  } else if (auto sum = dyn_cast<AccumulateOp>(def)) {
    result = axes;
    for (Value term : sum.getTerms())
      result &= find(term);
  }
  return known[value] = result;
}

//===----------------------------------------------------------------------===//
// Fields of fewer axes that repeat
//
// Before, in a pipeline of two axes whose box is [0, 64) along axis 1:
//   %p = stencil.load %f                   read at [_, 1], around the box, too
// After:
//   %g = stencil.alloc                     before the pipeline
//   stencil.apply(%x = %f) outs (%g) { return %x[1] } to <[0], [64]>
//   stencil.boundary %g [#stencil.periodic]
//   %p = stencil.load %g                   read at [_, 0]
//
// A window has all axes, so that it cannot be one that repeats.
//===----------------------------------------------------------------------===//

Value PeriodicProfiles::fill(LoadOp load, ApplyOp stage, ArrayRef<int64_t> own,
                             ArrayRef<int64_t> at) {
  MLIRContext *context = op.getContext();
  BoundsAttr domain = plan.getDomain();
  const OffsetBox &needs = plan.getNeeds(stage);
  SmallVector<int64_t> lower, upper, first, end;
  SmallVector<Attribute> conditions;
  for (int64_t axis : own) {
    const OffsetBox &box = axes[axis] ? OffsetBox::zero(axes.size()) : needs;
    lower.push_back(domain.getLb()[axis] + box.lower[axis]);
    upper.push_back(domain.getUb()[axis] + box.upper[axis]);
    first.push_back(lower.back() - (axes[axis] ? reach.lower[axis] : 0));
    end.push_back(upper.back() + (axes[axis] ? reach.upper[axis] : 0));
    conditions.append(2, axes[axis] ? Attribute(PeriodicAttr::get(context))
                                    : Attribute(KeepAttr::get(context)));
  }
  Location loc = load.getLoc();
  Value source = load.getField();
  auto box = BoundsAttr::get(context, lower, upper);
  auto type = FieldType::get(BoundsAttr::get(context, first, end),
                             getElementType(source));
  OpBuilder builder(op);
  // Once, if its size does not depend on what comes before the pipeline.
  if (!type.getBounds().isSymbolic())
    builder.setInsertionPointToStart(
        &op->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
  Value copy = AllocOp::create(builder, loc, type);
  builder.setInsertionPoint(op);
  ApplyOp::create(builder, loc, ValueRange(source), ValueRange(copy), box)
      .returnInput(SmallVector<int64_t>(at));
  BoundaryOp::create(builder, loc, copy, box,
                     ArrayAttr::get(context, conditions));
  return copy;
}

LoadOp PeriodicProfiles::get(LoadOp load, ApplyOp stage, ArrayRef<int64_t> own,
                             ArrayRef<int64_t> at) {
  LoadOp &known = made[{load, stage, own.vec(), at.vec()}];
  if (!known) {
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(load);
    known = LoadOp::create(builder, load.getLoc(), load.getType(),
                           fill(load, stage, own, at));
  }
  return known;
}
