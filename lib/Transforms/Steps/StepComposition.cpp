//===- StepComposition.cpp - k steps of a time loop as one ----------------===//
//
// What follows from a plan.
//
//===----------------------------------------------------------------------===//

#include "StepComposition.h"

using namespace mlir;
using namespace stencil;

HaloRule StepComposition::getRule(int64_t axis, bool upper) const {
  BoundaryOp op = boundary;
  return op ? getHaloRule(op.getCondition(axis, upper)) : HaloRule::keep();
}

int64_t StepComposition::countSources(int64_t axis, bool upper) const {
  int64_t halo = getReach(axis, upper);
  return halo > 0 ? getRule(axis, upper).countSources(halo) : 0;
}

bool StepComposition::readsMoreThanState() const {
  ApplyOp reader = step;
  return llvm::any_of(llvm::enumerate(reader.getArgs()), [&](auto argument) {
    return argument.index() != input &&
           isa<GridType>(argument.value().getType());
  });
}

bool StepComposition::followsFromInside() const {
  for (int64_t axis = 0, rank = below.size(); axis < rank; ++axis)
    if (followsFromInside(axis, false) || followsFromInside(axis, true))
      return true;
  return false;
}

bool StepComposition::followsFromInside(int64_t axis, bool upper) const {
  HaloRule rule = getRule(axis, upper);
  return getReach(axis, upper) > 0 &&
         (rule.kind == HaloRule::Kind::Point || rule.isPolynomial());
}

bool StepComposition::isInWindows(int64_t axis) const {
  return hasHaloInSteps ||
         (hasWindows && !getRule(axis, /*upper=*/false).wraps());
}

BoundsAttr StepComposition::getHalo(int64_t axis, bool upper) const {
  GridBox box(getRimType().getBounds()), inner(time.interior);
  for (size_t later = axis + 1; later < below.size(); ++later) {
    box.lb[later] = inner.lb[later];
    box.ub[later] = inner.ub[later];
  }
  if (upper)
    box.lb[axis] = inner.ub[axis];
  else
    box.ub[axis] = inner.lb[axis];
  return BoundsAttr::get(time.interior.getContext(), box.lb, box.ub);
}

FieldType StepComposition::getEdgeType() const {
  GridBox box(time.interior);
  for (auto [axis, margin] : llvm::enumerate(margins)) {
    box.lb[axis] -= margin;
    box.ub[axis] += margin;
  }
  FieldType rim = getRimType();
  return FieldType::get(BoundsAttr::get(rim.getContext(), box.lb, box.ub),
                        rim.getElementType());
}

bool StepComposition::isPeriodic() const {
  return getRule(/*axis=*/0, /*upper=*/false).wraps();
}

FieldType StepComposition::getWideType(int64_t outsideLower,
                                       int64_t outsideUpper) const {
  int64_t lower = getLowerWidth(), upper = getUpperWidth();
  // Whatever its row, a point may read as far as the matrix has columns.
  if (!isPeriodic())
    lower = upper = std::max(lower, upper);
  GridBox box(time.interior);
  box.lb[0] -= lower + outsideLower;
  box.ub[0] += upper + outsideUpper;
  FieldType rim = getRimType();
  return FieldType::get(BoundsAttr::get(rim.getContext(), box.lb, box.ub),
                        rim.getElementType());
}

FieldType StepComposition::getRimType() const {
  GridBox box(time.interior);
  for (size_t axis = 0; axis < below.size(); ++axis) {
    box.lb[axis] -= below[axis];
    box.ub[axis] += above[axis];
  }
  StoreOp store = time.stores.front();
  Type element = cast<GridType>(store.getField().getType()).getElementType();
  return FieldType::get(BoundsAttr::get(element.getContext(), box.lb, box.ub),
                        element);
}

SmallVector<BoundsAttr> StepComposition::getRim(unsigned level) const {
  const Widths &widths = rims[level];
  MLIRContext *context = time.interior.getContext();
  GridBox rest(time.interior);
  SmallVector<BoundsAttr> boxes;
  for (size_t axis = 0; axis < rest.lb.size(); ++axis) {
    int64_t lb = rest.lb[axis], ub = rest.ub[axis];
    int64_t lower = widths.lower[axis], upper = widths.upper[axis];
    if (lower + upper == 0)
      continue;
    if (isSymbolic(lb) == isSymbolic(ub) && ub - lb <= lower + upper) {
      boxes.push_back(BoundsAttr::get(context, rest.lb, rest.ub));
      return boxes;
    }
    GridBox slab = rest;
    slab.ub[axis] = rest.lb[axis] = lb + lower;
    if (lower > 0)
      boxes.push_back(BoundsAttr::get(context, slab.lb, slab.ub));
    slab.lb[axis] = rest.ub[axis] = ub - upper;
    slab.ub[axis] = ub;
    if (upper > 0)
      boxes.push_back(BoundsAttr::get(context, slab.lb, slab.ub));
  }
  return boxes;
}

BoundsAttr StepComposition::getCore() const {
  GridBox box(time.interior);
  for (size_t axis = 0; axis < box.lb.size(); ++axis) {
    box.lb[axis] += rims[steps].lower[axis];
    box.ub[axis] -= rims[steps].upper[axis];
  }
  return BoundsAttr::get(time.interior.getContext(), box.lb, box.ub);
}

LogicalResult stencil::refuseLoop(scf::ForOp loop, const Twine &what,
                                  const NoTimeLoop &why) {
  InFlightDiagnostic diag = loop.emitError() << what << ": " << why.reason;
  if (why.culprit && why.culprit != loop)
    diag.attachNote(why.culprit->getLoc()) << "because of this";
  return diag;
}
