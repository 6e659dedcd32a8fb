//===- DiamondHalo.cpp - Halos of steps in diamonds -----------------------===//
//
// Axis by axis, as `stencil.boundary` does: along those before over the halo as
// well, as far as that is of points of the box.
//
//===----------------------------------------------------------------------===//

#include "DiamondHalo.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

/// Layers of a side that change from step to step.
int64_t DiamondHalo::getWidth(int64_t along, bool upper) {
  HaloRule rule = getHaloRule(op.getCondition(along, upper));
  if (rule.isFixed())
    return 0;
  BoundsAttr field = cast<GridType>(op.getField().getType()).getBounds(),
             interior = op.getBounds();
  return upper ? field.getUb()[along] - interior.getUb()[along]
               : interior.getLb()[along] - field.getLb()[along];
}

/// The first point of the box, or the one behind the last.
Value DiamondHalo::getEdge(int64_t along, bool upper) {
  BoundsAttr interior = op.getBounds();
  return extents.getBound(
      b, b.getLoc(), upper ? interior.getUb()[along] : interior.getLb()[along],
      along);
}

HaloSide DiamondHalo::makeSide(int64_t along, bool upper) {
  Value lb = getEdge(along, false), ub = getEdge(along, true);
  return HaloSide(b, getHaloRule(op.getCondition(along, upper)), upper, lb, ub,
                  getWidth(along, upper));
}

/// Calls `body` where a layer is one of the box. Behind the second axis, a box
/// has whole rows.
LogicalResult DiamondHalo::forEachLayer(int64_t along, bool upper, Body body) {
  int64_t width = getWidth(along, upper);
  if (width == 0)
    return success();
  Value edge = getEdge(along, upper);
  Value first = upper ? edge : b.math.add(edge, -width);
  return b.emitLoop(
      first, b.math.add(first, width), /*step=*/1,
      [&](Value coordinate) -> LogicalResult {
        HaloLayer layer = makeSide(along, upper).makeLayerAt(coordinate);
        Value from = layer.sources.front();
        if (along > 1)
          return body(coordinate, from);
        Value isInside = b.both(b.math.lessEqual(box.lb[along], from),
                                b.math.less(from, box.ub[along]));
        return b.emitIf(isInside, [&] { return body(coordinate, from); });
      },
      /*vectorise=*/false);
}

void DiamondHalo::fillPoint() {
  auto type = cast<GridType>(op.getField().getType());
  HaloSide side = makeSide(axis, isUpper);
  SmallVector<Value> from(point);
  from[axis] = source;
  auto getIndices = [&](ValueRange at) {
    return extents.getIndices(b, b.getLoc(), type, at);
  };
  Value read = memref::LoadOp::create(b, memory, getIndices(from));
  Value value = side.makeValue({}, read, type.getElementType());
  memref::StoreOp::create(b, value, memory, getIndices(point));
}

/// Loops over the axes from `other` on, but that of the layer.
LogicalResult DiamondHalo::fillLayer(int64_t other) {
  if (other == axis)
    return fillLayer(other + 1);
  if (other == rank) {
    fillPoint();
    return success();
  }
  auto go = [&](Value coordinate) {
    point[other] = coordinate;
    return fillLayer(other + 1);
  };
  if (failed(b.emitLoop(box.lb[other], box.ub[other], /*step=*/1, go)))
    return failure();
  if (other < axis)
    for (bool upper : {false, true})
      if (failed(forEachLayer(other, upper, [&](Value coordinate, Value) {
            return go(coordinate);
          })))
        return failure();
  return success();
}

LogicalResult DiamondHalo::fill() {
  point.resize(rank);
  for (axis = 0; axis < rank; ++axis)
    for (bool upper : {false, true}) {
      isUpper = upper;
      if (failed(forEachLayer(axis, upper, [&](Value coordinate, Value from) {
            point[axis] = coordinate;
            source = from;
            return fillLayer(0);
          })))
        return failure();
    }
  return success();
}
