//===- DiamondHalo.cpp - Halos of steps in diamonds -----------------------===//
//
// Axis by axis, as `stencil.boundary` does: along those before over the halo as
// well, as far as that is of points of the box.
//
//===----------------------------------------------------------------------===//

#include "DiamondHalo.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

HaloSide DiamondHalo::makeSide(OpBuilder &builder, int64_t along, bool upper) {
  BoundsAttr interior = op.getBounds();
  return HaloSide(
      loc, getHaloRule(op.getCondition(along, upper)), upper,
      extents.getBound(builder, loc, interior.getLb()[along], along),
      extents.getBound(builder, loc, interior.getUb()[along], along),
      getWidth(along, upper));
}

/// Calls `body` where a layer is one of the box. Behind the second axis, a box
/// has whole rows.
LogicalResult DiamondHalo::forEachLayer(OpBuilder &builder, int64_t along,
                                        bool upper, Body body) {
  int64_t width = getWidth(along, upper);
  if (width == 0)
    return success();
  Arithmetic arith(builder, loc, builder.getIndexType());
  BoundsAttr interior = op.getBounds();
  Value edge = extents.getBound(
      builder, loc, upper ? interior.getUb()[along] : interior.getLb()[along],
      along);
  Value first = upper ? edge : arith.add(edge, -width);
  return emitLoop(
      builder, loc, first, arith.add(first, width), /*step=*/1,
      [&](OpBuilder &inner, Value coordinate) -> LogicalResult {
        HaloLayer layer =
            makeSide(inner, along, upper).makeLayerAt(inner, coordinate);
        Value from = layer.sources.front();
        if (along > 1)
          return body(inner, coordinate, from);
        Arithmetic test(inner, loc, inner.getIndexType());
        Value isInside = arith::AndIOp::create(
            inner, loc, test.lessEqual(box.lb[along], from),
            test.less(from, box.ub[along]));
        auto branch = scf::IfOp::create(inner, loc, isInside);
        OpBuilder::InsertionGuard guard(inner);
        inner.setInsertionPoint(branch.thenBlock()->getTerminator());
        return body(inner, coordinate, from);
      },
      /*vectorise=*/false);
}

void DiamondHalo::fillPoint(OpBuilder &builder) {
  auto type = cast<GridType>(op.getField().getType());
  HaloSide side = makeSide(builder, axis, isUpper);
  HaloLayer layer;
  SmallVector<Value> from(point);
  from[axis] = source;
  Value read = memref::LoadOp::create(
      builder, loc, memory, extents.getIndices(builder, loc, type, from));
  Value value = side.makeValue(builder, layer, read, type.getElementType());
  memref::StoreOp::create(builder, loc, value, memory,
                          extents.getIndices(builder, loc, type, point));
}

/// Loops over the axes from `other` on, but that of the layer.
LogicalResult DiamondHalo::fillLayer(OpBuilder &builder, int64_t other) {
  if (other == axis)
    return fillLayer(builder, other + 1);
  if (other == rank) {
    fillPoint(builder);
    return success();
  }
  auto go = [&](OpBuilder &inner, Value coordinate) {
    point[other] = coordinate;
    return fillLayer(inner, other + 1);
  };
  if (failed(
          emitLoop(builder, loc, box.lb[other], box.ub[other], /*step=*/1, go)))
    return failure();
  if (other < axis)
    for (bool upper : {false, true})
      if (failed(forEachLayer(builder, other, upper,
                              [&](OpBuilder &inner, Value coordinate, Value) {
                                return go(inner, coordinate);
                              })))
        return failure();
  return success();
}

LogicalResult DiamondHalo::fill(OpBuilder &builder) {
  point.resize(rank);
  for (axis = 0; axis < rank; ++axis)
    for (bool upper : {false, true}) {
      isUpper = upper;
      if (failed(
              forEachLayer(builder, axis, upper,
                           [&](OpBuilder &inner, Value coordinate, Value from) {
                             point[axis] = coordinate;
                             source = from;
                             return fillLayer(inner, 0);
                           })))
        return failure();
    }
  return success();
}
