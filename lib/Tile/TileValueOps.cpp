//===- TileValueOps.cpp - Values of a tile --------------------------------===//

#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/Tile.h"
#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// The box of a value in a kernel that walks; null, with an error, if it has
/// none.
static BoundsAttr findBox(Operation *op, Value value) {
  auto type = cast<TempType>(value.getType());
  auto kernel = op->getParentOfType<KernelOp>();
  if (BoundsAttr box = type.getBounds();
      box && !box.isSymbolic() && box.getRank() == kernel.getGrid().getRank())
    return box;
  op->emitOpError("expected values on boxes of rank ")
      << kernel.getGrid().getRank() << ", got " << type;
  return {};
}

/// The same box, `by` planes further along an axis.
static BoundsAttr moveBox(BoundsAttr box, int64_t axis, int64_t by) {
  return box.withAxis(axis, box.getLb()[axis] + by, box.getUb()[axis] + by);
}

static LogicalResult verifyWalks(Operation *op) {
  if (failed(verifyInKernel(op)))
    return failure();
  if (!getWalkAxis(op))
    return op->emitOpError("expected a kernel that walks");
  return success();
}

LogicalResult JoinOp::verify() {
  if (failed(getPlanes().size() > 1 ? verifyWalks(*this)
                                    : verifyInKernel(*this)))
    return failure();
  if (getPlanes().empty())
    return emitOpError("expected at least one value");
  int64_t axis = getWalkAxis(*this).value_or(0);
  Type elementType = getElementType(getRes());
  BoundsAttr joined;
  for (Value plane : getPlanes()) {
    BoundsAttr box = findBox(*this, plane);
    if (!box)
      return failure();
    if (getElementType(plane) != elementType)
      return emitOpError("expected values of the element type of the result, ")
             << elementType << ", got " << plane.getType();
    if (!joined) {
      joined = box;
      continue;
    }
    int64_t first = joined.getUb()[axis];
    int64_t end = first + box.getUb()[axis] - box.getLb()[axis];
    BoundsAttr next = joined.withAxis(axis, first, end);
    if (box != next)
      return emitOpError("expected a box that follows the one before along "
                         "axis ")
             << axis << ", " << next << ", got " << box;
    joined = joined.withAxis(axis, joined.getLb()[axis], end);
  }
  // Beside it, along rows, nothing is specified.
  BoundsAttr box = getBounds(getRes());
  bool isWide =
      box && box.getRank() == joined.getRank() && box.contains(joined);
  for (int64_t i = 0; isWide && i + 1 < joined.getRank(); ++i)
    isWide = box.getLb()[i] == joined.getLb()[i] &&
             box.getUb()[i] == joined.getUb()[i];
  if (!isWide)
    return emitOpError("expected a result on the joined box, ")
           << joined << ", or a wider one along the last axis, got "
           << getRes().getType();
  return success();
}

LogicalResult ShiftOp::verify() {
  if (failed(verifyWalks(*this)))
    return failure();
  BoundsAttr box = findBox(*this, getValues());
  if (!box)
    return failure();
  Type expected = TempType::get(moveBox(box, *getWalkAxis(*this), -1),
                                getElementType(getValues()));
  if (getRes().getType() != expected)
    return emitOpError("expected a result of one plane less along the walk, ")
           << expected << ", got " << getRes().getType();
  return success();
}

LogicalResult WhereOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  if (getBodyBlock()->getNumArguments() != 0)
    return emitOpError("expected a body without arguments, got ")
           << getBodyBlock()->getNumArguments();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  ListAttr list = kernel.getListAttr();
  if (list && (!getPart() || *getPart() >= list.getBoxes().size()))
    return emitOpError("expected 'part' from 0 to ")
           << list.getBoxes().size() - 1 << " in a kernel over a list";
  if (list && (getNeeds() || getNumResults() > 0 ||
               !isa<KernelOp>((*this)->getParentOp())))
    return emitOpError("expected no 'needs', no results and no tile.where "
                       "around it in a kernel over a list");
  if (!list && getPart())
    return emitOpError("expected 'part' in a kernel over a list only");
  auto around = (*this)->getParentOfType<WhereOp>();
  if (around && (getIteration() || !around.getIteration()))
    return emitOpError("expected to be outside of a tile.where, but for one "
                       "without a plane in one with a plane");
  if (getIteration() && !kernel.getGrid().getWalk())
    return emitOpError("expected no plane in a kernel that does not walk");
  if (getIteration() && !getNeeds())
    return emitOpError("expected 'needs' with a plane");
  return verifyNeeds(*this, getNeeds(), kernel.getGrid().getRank());
}

LogicalResult WhereOp::verifyRegions() {
  if (getBodyBlock()->getTerminator()->getOperandTypes() != getResultTypes())
    return emitOpError("expected to yield values of the types of its results, ")
           << getResultTypes() << ", got "
           << getBodyBlock()->getTerminator()->getOperandTypes();
  return checkWithin(getBody(), [](BarrierOp barrier) {
    return barrier.emitOpError("expected to be outside of a tile.where, as all "
                               "threads take part");
  });
}
