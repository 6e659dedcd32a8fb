//===- BoundaryToLoops.cpp - Boundary conditions to loops -----------------===//
//
// Axis by axis: a loop over the rows (of the last axis: the points) that are
// perpendicular to the axis fills the halo on both sides of each, layer by
// layer, from the interior or from what was filled along an axis before.
//
//===----------------------------------------------------------------------===//

#include "HaloSide.h"
#include "LoopKeys.h"
#include "LoopNest.h"
#include "Patterns.h"
#include "StencilDialect/Analysis/PeriodicImages.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

/// Halos up to this width are filled by one piece of code per layer. Where a
/// layer's values come from is then known outside of the loops: of a periodic
/// boundary it is the remainder of a division.
static constexpr int64_t kMaxSeparateLayers = 8;

namespace {

/// The two sides of one axis.
class AxisEmitter {
public:
  AxisEmitter(const OpBuilder &builder, BoundaryOp op, Value buffer,
              const Extents &extents, int64_t axis)
      : b(op.getLoc(), builder), op(op), buffer(buffer), extents(extents),
        axis(axis), rank(op.getBounds().getRank()),
        type(cast<GridType>(op.getField().getType())), field(type.getBounds()),
        interior(op.getBounds()) {}

  LogicalResult emit();
  LogicalResult emitWithin(const LoopBox &within);

private:
  int64_t haloWidth(bool upper) { return getHaloWidth(op, axis, upper); }
  HaloRule getRule(bool upper) {
    return getHaloRule(op.getCondition(axis, upper));
  }
  bool isFilled(bool upper) {
    return haloWidth(upper) > 0 && !getRule(upper).isKept();
  }

  Value bound(int64_t value, int64_t along) {
    return extents.getBound(b, b.getLoc(), value, along);
  }
  HaloSide makeSide(bool upper) {
    return HaloSide(b, getRule(upper), upper,
                    bound(interior.getLb()[axis], axis),
                    bound(interior.getUb()[axis], axis), haloWidth(upper));
  }
  bool hasSeparateLayers(bool upper);
  LogicalResult fillRow(ValueRange others, const HaloSide &side,
                        const HaloLayer &layer);
  void fillPoint(ValueRange others, const HaloSide &side,
                 const HaloLayer &layer);
  LogicalResult fillLayers(ValueRange others, bool upper);
  SmallVector<Value> indicesAt(ValueRange others, Value coordinate);
  LogicalResult
  fillSides(ArrayRef<bool> sides, const LoopBox &others,
            llvm::function_ref<LogicalResult(ArrayRef<int64_t>, PointBody)>
                emitLoops);

  LoopBuilder b;
  BoundaryOp op;
  Value buffer;
  const Extents &extents;
  int64_t axis, rank;
  GridType type;
  BoundsAttr field, interior;
  /// Points along the last axis, if that is another one.
  std::pair<Value, Value> row;
};

} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// An extrapolation has weights of its own in each.
bool AxisEmitter::hasSeparateLayers(bool upper) {
  return haloWidth(upper) <= kMaxSeparateLayers ||
         getRule(upper).isPolynomial();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Indices into the buffer, of a point whose coordinates along the other axes
/// are `others`.
SmallVector<Value> AxisEmitter::indicesAt(ValueRange others, Value coordinate) {
  SmallVector<Value> point(others);
  point.insert(point.begin() + axis, coordinate);
  return extents.getIndices(b, b.getLoc(), type, point);
}

void AxisEmitter::fillPoint(ValueRange others, const HaloSide &side,
                            const HaloLayer &layer) {
  SmallVector<Value> values;
  for (Value source : layer.sources)
    values.push_back(
        memref::LoadOp::create(b, buffer, indicesAt(others, source)));
  Value value = side.makeValue(layer, values, type.getElementType());
  memref::StoreOp::create(b, value, buffer,
                          indicesAt(others, layer.coordinate));
}

/// The cells of a layer that have the coordinates `others` along the other
/// axes: without the last one, which is a loop, if that is not the axis.
LogicalResult AxisEmitter::fillRow(ValueRange others, const HaloSide &side,
                                   const HaloLayer &layer) {
  if (axis == rank - 1) {
    fillPoint(others, side, layer);
    return success();
  }
  return b.emitLoop(row.first, row.second,
                    /*step=*/1, [&](Value position) {
                      SmallVector<Value> point(others);
                      point.push_back(position);
                      fillPoint(point, side, layer);
                      return success();
                    });
}

/// All layers of a side by a loop.
LogicalResult AxisEmitter::fillLayers(ValueRange others, bool upper) {
  Value first = upper ? bound(interior.getUb()[axis], axis)
                      : bound(field.getLb()[axis], axis);
  Value end = upper ? bound(field.getUb()[axis], axis)
                    : bound(interior.getLb()[axis], axis);
  return b.emitLoop(first, end, /*step=*/1, [&](Value coordinate) {
    HaloSide side = makeSide(upper);
    return fillRow(others, side, side.makeLayerAt(coordinate));
  });
}

/// Fills what is on these sides of the points of a box of the other axes, whose
/// loops `emitLoops` makes.
LogicalResult AxisEmitter::fillSides(
    ArrayRef<bool> sides, const LoopBox &others,
    llvm::function_ref<LogicalResult(ArrayRef<int64_t>, PointBody)> emitLoops) {
  SmallVector<std::pair<HaloSide, HaloLayer>> layers;
  for (bool upper : sides)
    if (isFilled(upper) && hasSeparateLayers(upper)) {
      HaloSide side = makeSide(upper);
      for (int64_t distance = 1; distance <= haloWidth(upper); ++distance)
        layers.emplace_back(side, side.makeLayer(distance));
    }
  row = {others.lb.back(), others.ub.back()};
  SmallVector<int64_t> steps(axis == rank - 1 ? rank - 1 : rank - 2, 1);
  auto fill = [&](ValueRange point) -> LogicalResult {
    for (const auto &[side, layer] : layers)
      if (failed(fillRow(point, side, layer)))
        return failure();
    for (bool upper : sides)
      if (isFilled(upper) && !hasSeparateLayers(upper) &&
          failed(fillLayers(point, upper)))
        return failure();
    return success();
  };
  return emitLoops(steps, fill);
}

/// Loops over the other axes.
LogicalResult AxisEmitter::emit() {
  if (!isFilled(false) && !isFilled(true))
    return success();
  LoopBox box;
  for (int64_t other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    BoundsAttr part = other < axis ? field : interior;
    box.lb.push_back(bound(part.getLb()[other], other));
    box.ub.push_back(bound(part.getUb()[other], other));
  }
  CPULoopsAttr loops = getLoops(op, axis);
  SmallVector<int64_t> tile(loops.getTile());
  tile.resize(rank - 1, 0);
  SmallVector<Value> sizes = b.getTileSizes(tile);
  if (loops.getAlone() > 0)
    b.joinTilesOfFewPoints(box, loops.getAlone(), sizes);
  return fillSides(
      {false, true}, box, [&](ArrayRef<int64_t> steps, PointBody fill) {
        return b.emitTiles(box, sizes,
                           /*parallel=*/loops.getThreads() > 0,
                           [&](const LoopBox &part) {
                             return b.emitPoints(part, steps, fill);
                           });
      });
}

/// The halo along axes before is that of points at their ends.
LogicalResult AxisEmitter::emitWithin(const LoopBox &within) {
  constexpr int64_t kTiledAxes = 2;
  const Arithmetic &math = b.math;
  auto hasEnd = [&](int64_t along, bool upper) -> Value {
    Value edge = upper ? math.add(bound(interior.getUb()[along], along), -1)
                       : bound(interior.getLb()[along], along);
    return b.both(math.lessEqual(within.lb[along], edge),
                  math.less(edge, within.ub[along]));
  };
  LoopBox box;
  for (int64_t other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    Value lb = within.lb[other], ub = within.ub[other];
    if (other < axis) {
      lb = math.select(hasEnd(other, false), bound(field.getLb()[other], other),
                       lb);
      ub = math.select(hasEnd(other, true), bound(field.getUb()[other], other),
                       ub);
    }
    box.lb.push_back(lb);
    box.ub.push_back(ub);
  }
  auto fill = [&](ArrayRef<bool> sides) {
    return fillSides(sides, box, [&](ArrayRef<int64_t> steps, PointBody body) {
      return b.emitPoints(box, steps, body);
    });
  };
  if (axis >= kTiledAxes)
    return fill({false, true});
  for (bool upper : {false, true})
    if (isFilled(upper) &&
        failed(b.emitIf(hasEnd(axis, upper), [&] { return fill({upper}); })))
      return failure();
  return success();
}

LogicalResult stencil::emitBoundaryWithin(const OpBuilder &builder,
                                          BoundaryOp op, Value memory,
                                          const Extents &extents, int64_t axis,
                                          const LoopBox &within) {
  return AxisEmitter(builder, op, memory, extents, axis).emitWithin(within);
}

LogicalResult stencil::emitBoundary(const OpBuilder &builder, BoundaryOp op,
                                    Value memory, const Extents &extents) {
  for (int64_t axis = 0; axis < op.getBounds().getRank(); ++axis)
    if (failed(AxisEmitter(builder, op, memory, extents, axis).emit()))
      return failure();
  return success();
}

LogicalResult stencil::lower(CPULowering &lowering, BoundaryOp op,
                             BoundaryOp::Adaptor operands) {
  Extents extents;
  extents.learn(lowering.rewriter, op.getLoc(),
                cast<GridType>(op.getField().getType()), operands.getField());
  if (failed(completeExtents(op, op.getBounds(), lowering.facts, extents)) ||
      failed(emitBoundary(lowering.rewriter, op, operands.getField(), extents)))
    return failure();
  lowering.rewriter.eraseOp(op);
  return success();
}
