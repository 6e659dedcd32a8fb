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
#include "StencilDialect/Conversion/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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
  AxisEmitter(BoundaryOp op, Value buffer, const Extents &extents, int64_t axis)
      : op(op), loc(op.getLoc()), buffer(buffer), extents(extents), axis(axis),
        rank(op.getBounds().getRank()),
        type(cast<GridType>(op.getField().getType())), field(type.getBounds()),
        interior(op.getBounds()) {}

  LogicalResult emit(OpBuilder &builder);
  LogicalResult emitWithin(OpBuilder &builder, const LoopBox &within);

private:
  int64_t haloWidth(bool upper) const {
    return upper ? field.getUb()[axis] - interior.getUb()[axis]
                 : interior.getLb()[axis] - field.getLb()[axis];
  }
  HaloRule getRule(bool upper) {
    return getHaloRule(op.getCondition(axis, upper));
  }
  bool isFilled(bool upper) {
    return haloWidth(upper) > 0 && !getRule(upper).isKept();
  }

  Value bound(OpBuilder &builder, int64_t value, int64_t boundAxis) {
    return extents.getBound(builder, loc, value, boundAxis);
  }
  HaloSide makeSide(OpBuilder &builder, bool upper) {
    return HaloSide(loc, getRule(upper), upper,
                    bound(builder, interior.getLb()[axis], axis),
                    bound(builder, interior.getUb()[axis], axis),
                    haloWidth(upper));
  }
  bool hasSeparateLayers(bool upper);
  LogicalResult fillRow(OpBuilder &builder, ValueRange others,
                        const HaloSide &side, const HaloLayer &layer);
  void fillPoint(OpBuilder &builder, ValueRange others, const HaloSide &side,
                 const HaloLayer &layer);
  LogicalResult fillLayers(OpBuilder &builder, ValueRange others, bool upper);
  SmallVector<Value> indicesAt(OpBuilder &builder, ValueRange others,
                               Value coordinate);
  LogicalResult
  fillSides(OpBuilder &builder, ArrayRef<bool> sides, const LoopBox &others,
            llvm::function_ref<LogicalResult(OpBuilder &, ArrayRef<int64_t>,
                                             PointBody)>
                emitLoops);

  BoundaryOp op;
  Location loc;
  Value buffer;
  const Extents &extents;
  int64_t axis, rank;
  GridType type;
  BoundsAttr field, interior;
  /// Points along the last axis, if that is another one.
  std::pair<Value, Value> row;
};

struct BoundaryLowering : OpConversionPattern<BoundaryOp> {
  BoundaryLowering(const TypeConverter &converter, MLIRContext *context,
                   FactsOfFunctions &facts)
      : OpConversionPattern(converter, context), facts(facts) {}

  LogicalResult
  matchAndRewrite(BoundaryOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Extents extents;
    extents.learn(rewriter, op.getLoc(),
                  cast<GridType>(op.getField().getType()), adaptor.getField());
    if (failed(completeExtents(op, op.getBounds(), facts, extents)))
      return failure();
    if (failed(emitBoundary(rewriter, op, adaptor.getField(), extents)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  FactsOfFunctions &facts;
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
SmallVector<Value> AxisEmitter::indicesAt(OpBuilder &builder, ValueRange others,
                                          Value coordinate) {
  SmallVector<Value> point(others);
  point.insert(point.begin() + axis, coordinate);
  return extents.getIndices(builder, loc, type, point);
}

void AxisEmitter::fillPoint(OpBuilder &builder, ValueRange others,
                            const HaloSide &side, const HaloLayer &layer) {
  SmallVector<Value> values;
  for (Value source : layer.sources)
    values.push_back(memref::LoadOp::create(
        builder, loc, buffer, indicesAt(builder, others, source)));
  Value value = side.makeValue(builder, layer, values, type.getElementType());
  memref::StoreOp::create(builder, loc, value, buffer,
                          indicesAt(builder, others, layer.coordinate));
}

/// The cells of a layer that have the coordinates `others` along the other
/// axes: without the last one, which is a loop, if that is not the axis.
LogicalResult AxisEmitter::fillRow(OpBuilder &builder, ValueRange others,
                                   const HaloSide &side,
                                   const HaloLayer &layer) {
  if (axis == rank - 1) {
    fillPoint(builder, others, side, layer);
    return success();
  }
  return emitLoop(builder, loc, row.first, row.second,
                  /*step=*/1, [&](OpBuilder &inner, Value position) {
                    SmallVector<Value> point(others);
                    point.push_back(position);
                    fillPoint(inner, point, side, layer);
                    return success();
                  });
}

/// All layers of a side by a loop.
LogicalResult AxisEmitter::fillLayers(OpBuilder &builder, ValueRange others,
                                      bool upper) {
  Value first = upper ? bound(builder, interior.getUb()[axis], axis)
                      : bound(builder, field.getLb()[axis], axis);
  Value end = upper ? bound(builder, field.getUb()[axis], axis)
                    : bound(builder, interior.getLb()[axis], axis);
  return emitLoop(builder, loc, first, end, /*step=*/1,
                  [&](OpBuilder &inner, Value coordinate) {
                    HaloSide side = makeSide(inner, upper);
                    return fillRow(inner, others, side,
                                   side.makeLayerAt(inner, coordinate));
                  });
}

/// Fills what is on these sides of the points of a box of the other axes, whose
/// loops `emitLoops` makes.
LogicalResult AxisEmitter::fillSides(
    OpBuilder &builder, ArrayRef<bool> sides, const LoopBox &others,
    llvm::function_ref<LogicalResult(OpBuilder &, ArrayRef<int64_t>, PointBody)>
        emitLoops) {
  SmallVector<std::pair<HaloSide, HaloLayer>> layers;
  for (bool upper : sides)
    if (isFilled(upper) && hasSeparateLayers(upper)) {
      HaloSide side = makeSide(builder, upper);
      for (int64_t distance = 1; distance <= haloWidth(upper); ++distance)
        layers.emplace_back(side, side.makeLayer(builder, distance));
    }
  row = {others.lb.back(), others.ub.back()};
  SmallVector<int64_t> steps(axis == rank - 1 ? rank - 1 : rank - 2, 1);
  auto fill = [&](OpBuilder &inner, ValueRange point) -> LogicalResult {
    for (const auto &[side, layer] : layers)
      if (failed(fillRow(inner, point, side, layer)))
        return failure();
    for (bool upper : sides)
      if (isFilled(upper) && !hasSeparateLayers(upper) &&
          failed(fillLayers(inner, point, upper)))
        return failure();
    return success();
  };
  return emitLoops(builder, steps, fill);
}

/// Loops over the other axes.
LogicalResult AxisEmitter::emit(OpBuilder &builder) {
  if (!isFilled(false) && !isFilled(true))
    return success();
  LoopBox box;
  for (int64_t other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    BoundsAttr part = other < axis ? field : interior;
    box.lb.push_back(bound(builder, part.getLb()[other], other));
    box.ub.push_back(bound(builder, part.getUb()[other], other));
  }
  CPULoopsAttr loops = getLoops(op, axis);
  SmallVector<int64_t> tile(loops.getTile());
  tile.resize(rank - 1, 0);
  SmallVector<Value> sizes = getTileSizes(builder, loc, tile);
  if (loops.getAlone() > 0)
    joinTilesOfFewPoints(builder, loc, box, loops.getAlone(), sizes);
  return fillSides(
      builder, {false, true}, box,
      [&](OpBuilder &outer, ArrayRef<int64_t> steps, PointBody fill) {
        return emitTiles(outer, loc, box, sizes,
                         /*parallel=*/loops.getThreads() > 0,
                         [&](OpBuilder &inner, const LoopBox &part) {
                           return emitPoints(inner, loc, part, steps, fill);
                         });
      });
}

/// The halo along axes before is that of points at their ends.
LogicalResult AxisEmitter::emitWithin(OpBuilder &builder,
                                      const LoopBox &within) {
  constexpr int64_t kTiledAxes = 2;
  Arithmetic arith(builder, loc, builder.getIndexType());
  auto hasEnd = [&](int64_t along, bool upper) -> Value {
    Value edge =
        upper ? arith.add(bound(builder, interior.getUb()[along], along), -1)
              : bound(builder, interior.getLb()[along], along);
    return arith::AndIOp::create(builder, loc,
                                 arith.lessEqual(within.lb[along], edge),
                                 arith.less(edge, within.ub[along]));
  };
  LoopBox box;
  for (int64_t other = 0; other < rank; ++other) {
    if (other == axis)
      continue;
    Value lb = within.lb[other], ub = within.ub[other];
    if (other < axis) {
      lb = arith.select(hasEnd(other, false),
                        bound(builder, field.getLb()[other], other), lb);
      ub = arith.select(hasEnd(other, true),
                        bound(builder, field.getUb()[other], other), ub);
    }
    box.lb.push_back(lb);
    box.ub.push_back(ub);
  }
  auto fill = [&](OpBuilder &outer, ArrayRef<bool> sides) {
    return fillSides(
        outer, sides, box,
        [&](OpBuilder &inner, ArrayRef<int64_t> steps, PointBody body) {
          return emitPoints(inner, loc, box, steps, body);
        });
  };
  if (axis >= kTiledAxes)
    return fill(builder, {false, true});
  for (bool upper : {false, true}) {
    if (!isFilled(upper))
      continue;
    auto branch = scf::IfOp::create(builder, loc, hasEnd(axis, upper));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    if (failed(fill(builder, {upper})))
      return failure();
  }
  return success();
}

LogicalResult stencil::emitBoundaryWithin(OpBuilder &builder, BoundaryOp op,
                                          Value memory, const Extents &extents,
                                          int64_t axis, const LoopBox &within) {
  return AxisEmitter(op, memory, extents, axis).emitWithin(builder, within);
}

LogicalResult stencil::emitBoundary(OpBuilder &builder, BoundaryOp op,
                                    Value memory, const Extents &extents) {
  for (int64_t axis = 0; axis < op.getBounds().getRank(); ++axis) {
    AxisEmitter emitter(op, memory, extents, axis);
    if (failed(emitter.emit(builder)))
      return failure();
  }
  return success();
}

void stencil::populateBoundaryToLoops(const TypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      FactsOfFunctions &facts) {
  patterns.add<BoundaryLowering>(converter, patterns.getContext(), facts);
}
