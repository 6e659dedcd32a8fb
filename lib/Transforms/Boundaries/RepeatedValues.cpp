//===- RepeatedValues.cpp - Values that repeat with the box ---------------===//

#include "RepeatedValues.h"
#include "StencilDialect/IR/Footprint.h"

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
    SmallBitVector kept = find(stage.getArgs()[read.input.getArgNumber()]);
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
