//===- StageHalo.cpp - What a stage keeps beyond the box ------------------===//

#include "StageHalo.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

/// Runs `fill` where the condition holds.
static LogicalResult
fillIf(OpBuilder &builder, Location loc, Value condition,
       llvm::function_ref<LogicalResult(OpBuilder &)> fill) {
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return fill(builder);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// The halo on one side of an axis, as far as the tile has it.
std::pair<Value, Value> StageHalo::getLayers(OpBuilder &builder, int64_t axis,
                                             bool upper) {
  Arithmetic math(builder, loc, builder.getIndexType());
  int64_t reach = result.getReach(axis, upper);
  Value lb = boxes.box.lb[axis], ub = boxes.box.ub[axis];
  if (upper)
    return {ub, math.min(math.add(ub, reach), boxes.whole.ub[axis])};
  return {math.max(math.add(lb, -reach), boxes.whole.lb[axis]), lb};
}

/// Where a layer of the halo of `axis` has points, along another axis: beyond
/// the box along those that were filled before.
std::pair<Value, Value> StageHalo::getRange(OpBuilder &builder, int64_t along,
                                            int64_t axis) {
  Value lb = boxes.inner.lb[along], ub = boxes.inner.ub[along];
  if (along > axis)
    return {lb, ub};
  Arithmetic math(builder, loc, builder.getIndexType());
  if (int64_t reach = result.getReach(along, /*upper=*/false))
    lb = math.max(boxes.whole.lb[along], math.add(boxes.box.lb[along], -reach));
  if (int64_t reach = result.getReach(along, /*upper=*/true))
    ub = math.min(boxes.whole.ub[along], math.add(boxes.box.ub[along], reach));
  return {lb, ub};
}

/// Loops over the coordinates that `point` lacks.
LogicalResult
StageHalo::fillPoints(OpBuilder &builder, int64_t axis,
                      SmallVectorImpl<Value> &point,
                      llvm::function_ref<void(OpBuilder &)> fill) {
  auto *open = llvm::find(point, Value());
  if (open == point.end()) {
    fill(builder);
    return success();
  }
  int64_t along = open - point.begin();
  auto [lb, ub] = getRange(builder, along, axis);
  return emitLoop(
      builder, loc, lb, ub, /*step=*/1,
      [&](OpBuilder &inner, Value coordinate) {
        point[along] = coordinate;
        LogicalResult filled = fillPoints(inner, axis, point, fill);
        point[along] = {};
        return filled;
      },
      /*vectorise=*/along == rank - 1);
}

Value StageHalo::readKept(OpBuilder &builder, ValueRange point) {
  SmallVector<int64_t> here(rank, 0);
  return memref::LoadOp::create(builder, loc, buffer.memory,
                                buffer.getIndices(builder, loc, point, here));
}

void StageHalo::setKept(OpBuilder &builder, ValueRange point, Value value) {
  SmallVector<int64_t> here(rank, 0);
  memref::StoreOp::create(builder, loc, value, buffer.memory,
                          buffer.getIndices(builder, loc, point, here));
}

LoadOp StageHalo::getKeeper() const {
  WindowOp window = result.boundary;
  Value kept = window.isOfLoad() ? window.getTemp() : window.getKeep();
  return kept ? kept.getDefiningOp<LoadOp>() : LoadOp();
}

Value StageHalo::readKeeper(OpBuilder &builder, ValueRange point) {
  auto type = cast<GridType>(getKeeper().getField().getType());
  return memref::LoadOp::create(builder, loc, keeper,
                                extents.getIndices(builder, loc, type, point));
}

/// What is beside the box along an axis that keeps it, which repeats along
/// those that come later.
Value StageHalo::readBeside(OpBuilder &builder, int64_t axis,
                            ValueRange point) {
  Arithmetic math(builder, loc, builder.getIndexType());
  SmallVector<Value> at(point);
  for (int64_t later = axis + 1; later < rank; ++later)
    // Where nobody reads beyond it, the box may be larger than what is stored.
    if (result.repeats(later) && (result.getReach(later, /*upper=*/false) > 0 ||
                                  result.getReach(later, /*upper=*/true) > 0))
      at[later] = getBoundarySource(
          math, result.getRule(later, /*upper=*/false), /*upper=*/false,
          boxes.box.lb[later], boxes.box.ub[later],
          result.getReach(later, /*upper=*/false), at[later]);
  return readKeeper(builder, at);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

LogicalResult StageHalo::copyAlong(OpBuilder &builder, const LoopBox &part,
                                   const LoopBox &times,
                                   SmallVectorImpl<Value> &point,
                                   SmallVectorImpl<Value> &source) {
  int64_t along = point.size();
  if (along == rank) {
    setKept(builder, point, readKeeper(builder, source));
    return success();
  }
  auto copy = [&](OpBuilder &outer, Value lb, Value ub, Value moved) {
    return emitLoop(
        outer, loc, lb, ub, /*step=*/1,
        [&](OpBuilder &inner, Value at) {
          Arithmetic math(inner, loc, inner.getIndexType());
          point.push_back(at);
          source.push_back(moved ? math.sub(at, moved) : at);
          LogicalResult copied = copyAlong(inner, part, times, point, source);
          point.pop_back();
          source.pop_back();
          return copied;
        },
        /*vectorise=*/along == rank - 1);
  };
  Value first = part.lb[along], end = part.ub[along];
  if (!result.repeats(along))
    return copy(builder, first, end, {});
  return emitLoop(
      builder, loc, times.lb[along], times.ub[along], /*step=*/1,
      [&](OpBuilder &inner, Value time) {
        Arithmetic math(inner, loc, inner.getIndexType());
        Value lb = boxes.box.lb[along], ub = boxes.box.ub[along];
        Value moved = math.mul(time, math.sub(ub, lb));
        return copy(inner, math.max(first, math.add(lb, moved)),
                    math.min(end, math.add(ub, moved)), moved);
      },
      /*vectorise=*/false);
}

/// Each time that the box is repeated by itself, so that rows are copied in one
/// piece.
LogicalResult StageHalo::copyLoad(OpBuilder &builder, const LoopBox &part) {
  Arithmetic math(builder, loc, builder.getIndexType());
  LoopBox times{SmallVector<Value>(rank), SmallVector<Value>(rank)};
  for (int64_t along = 0; along < rank; ++along) {
    if (!result.repeats(along))
      continue;
    Value lb = boxes.box.lb[along], ub = boxes.box.ub[along];
    Value n = math.max(math.sub(ub, lb), math.constant(1));
    // Before the box there are no more repetitions of it than points.
    int64_t before = result.getReach(along, /*upper=*/false);
    Value start = math.sub(lb, math.mul(n, before));
    times.lb[along] =
        math.add(math.div(math.sub(part.lb[along], start), n), -before);
    times.ub[along] =
        math.add(math.ceilDiv(math.sub(part.ub[along], start), n), -before);
  }
  SmallVector<Value> point, source;
  return copyAlong(builder, part, times, point, source);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// The points at a coordinate along an axis, of which the tile has some: of a
/// plane if there is a walk along another axis.
LogicalResult StageHalo::fillLayer(OpBuilder &builder, int64_t axis, bool upper,
                                   Value coordinate, Value plane) {
  Type element = cast<MemRefType>(buffer.memory.getType()).getElementType();
  HaloRule rule = result.getRule(axis, upper);
  HaloSide side(loc, rule, upper, boxes.box.lb[axis], boxes.box.ub[axis],
                result.getReach(axis, upper));
  HaloLayer layer = side.makeLayerAt(builder, coordinate);
  SmallVector<Value> point(rank);
  if (walk && plane)
    point[*walk] = plane;
  point[axis] = coordinate;
  return fillPoints(builder, axis, point, [&](OpBuilder &inner) {
    Value value;
    if (rule.isKept()) {
      value = readBeside(inner, axis, point);
    } else {
      SmallVector<Value> values, source(point);
      for (Value coordinate : layer.sources) {
        source[axis] = coordinate;
        values.push_back(readKept(inner, source));
      }
      value = side.makeValue(inner, layer, values, element);
    }
    setKept(inner, point, value);
  });
}

/// The halo of a plane, or of a whole tile, along the axes from `firstAxis` on
/// that the walk does not take.
LogicalResult StageHalo::fillBeside(OpBuilder &builder, Value plane,
                                    int64_t firstAxis) {
  for (int64_t axis = firstAxis; axis < rank; ++axis)
    for (bool upper : {false, true}) {
      if (axis == walk || !result.hasHalo(axis, upper))
        continue;
      auto [lb, ub] = getLayers(builder, axis, upper);
      if (failed(emitLoop(
              builder, loc, lb, ub, /*step=*/1,
              [&](OpBuilder &inner, Value coordinate) {
                return fillLayer(inner, axis, upper, coordinate, plane);
              },
              /*vectorise=*/false)))
        return failure();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

LogicalResult StageHalo::fillPlane(OpBuilder &builder, bool upper,
                                   Value plane) {
  return success(succeeded(fillLayer(builder, *walk, upper, plane, plane)) &&
                 succeeded(fillBeside(builder, plane, *walk + 1)));
}

LogicalResult StageHalo::fillAfter(OpBuilder &builder, Value plane) {
  if (failed(fillBeside(builder, plane, 0)))
    return failure();
  int64_t sources = result.countSources(*walk, /*upper=*/false);
  if (sources == 0)
    return success();
  Arithmetic math(builder, loc, builder.getIndexType());
  // The last one that they are made of.
  Value last = math.add(boxes.box.lb[*walk], sources - 1);
  Value isLast = math.compare(arith::CmpIPredicate::eq, plane, last);
  return fillIf(builder, loc, isLast, [&](OpBuilder &inner) {
    auto [lb, ub] = getLayers(inner, *walk, /*upper=*/false);
    return emitLoop(
        inner, loc, lb, ub, /*step=*/1,
        [&](OpBuilder &deeper, Value before) {
          return fillPlane(deeper, /*upper=*/false, before);
        },
        /*vectorise=*/false);
  });
}

LogicalResult StageHalo::fillBehind(OpBuilder &builder, Value plane) {
  if (!result.hasHalo(*walk, /*upper=*/true))
    return success();
  Arithmetic math(builder, loc, builder.getIndexType());
  auto [lb, ub] = getLayers(builder, *walk, /*upper=*/true);
  Value isHere = math.both(math.lessEqual(lb, plane), math.less(plane, ub));
  return fillIf(builder, loc, isHere, [&](OpBuilder &inner) {
    return fillPlane(inner, /*upper=*/true, plane);
  });
}
