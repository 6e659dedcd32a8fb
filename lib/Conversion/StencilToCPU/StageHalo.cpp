//===- StageHalo.cpp - What a stage keeps beyond the box ------------------===//

#include "PipelineEmitter.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// The halo on one side of an axis, as far as the tile has it.
std::pair<Value, Value> StageHalo::getLayers(int64_t axis, bool upper) {
  int64_t reach = result.getReach(axis, upper);
  Value lb = boxes.box.lb[axis], ub = boxes.box.ub[axis];
  if (upper)
    return {ub, math.min(math.add(ub, reach), boxes.whole.ub[axis])};
  return {math.max(math.add(lb, -reach), boxes.whole.lb[axis]), lb};
}

/// Where a layer of the halo of `axis` has points, along another axis: beyond
/// the box along those that were filled before.
std::pair<Value, Value> StageHalo::getRange(int64_t along, int64_t axis) {
  Value lb = boxes.inner.lb[along], ub = boxes.inner.ub[along];
  if (along > axis)
    return {lb, ub};
  if (int64_t reach = result.getReach(along, /*upper=*/false))
    lb = math.max(boxes.whole.lb[along], math.add(boxes.box.lb[along], -reach));
  if (int64_t reach = result.getReach(along, /*upper=*/true))
    ub = math.min(boxes.whole.ub[along], math.add(boxes.box.ub[along], reach));
  return {lb, ub};
}

/// Loops over the coordinates that `point` lacks.
LogicalResult StageHalo::fillPoints(int64_t axis, SmallVectorImpl<Value> &point,
                                    llvm::function_ref<void()> fill) {
  auto *open = llvm::find(point, Value());
  if (open == point.end()) {
    fill();
    return success();
  }
  int64_t along = open - point.begin();
  auto [lb, ub] = getRange(along, axis);
  return b.emitLoop(
      lb, ub, /*step=*/1,
      [&](Value coordinate) {
        point[along] = coordinate;
        LogicalResult filled = fillPoints(axis, point, fill);
        point[along] = {};
        return filled;
      },
      /*vectorise=*/along == rank - 1);
}

Value StageHalo::readKept(ValueRange point) {
  SmallVector<int64_t> here(rank, 0);
  return memref::LoadOp::create(b, buffer.memory,
                                buffer.getIndices(b, point, here));
}

void StageHalo::setKept(ValueRange point, Value value) {
  SmallVector<int64_t> here(rank, 0);
  memref::StoreOp::create(b, value, buffer.memory,
                          buffer.getIndices(b, point, here));
}

LoadOp StageHalo::getKeeper() const {
  WindowOp window = result.boundary;
  Value kept = window.isOfLoad() ? window.getTemp() : window.getKeep();
  return kept ? kept.getDefiningOp<LoadOp>() : LoadOp();
}

Value StageHalo::readKeeper(ValueRange point) {
  auto type = cast<GridType>(getKeeper().getField().getType());
  return memref::LoadOp::create(b, keeper,
                                extents.getIndices(b, b.getLoc(), type, point));
}

/// What is beside the box along an axis that keeps it, which repeats along
/// those that come later.
Value StageHalo::readBeside(int64_t axis, ValueRange point) {
  SmallVector<Value> at(point);
  for (int64_t later = axis + 1; later < rank; ++later)
    // Where nobody reads beyond it, the box may be larger than what is stored.
    if (result.repeats(later) && (result.getReach(later, /*upper=*/false) > 0 ||
                                  result.getReach(later, /*upper=*/true) > 0))
      at[later] = getBoundarySource(
          math, result.getRule(later, /*upper=*/false), /*upper=*/false,
          boxes.box.lb[later], boxes.box.ub[later],
          result.getReach(later, /*upper=*/false), at[later]);
  return readKeeper(at);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

LogicalResult StageHalo::copyAlong(const LoopBox &part, const LoopBox &times,
                                   SmallVectorImpl<Value> &point,
                                   SmallVectorImpl<Value> &source) {
  int64_t along = point.size();
  if (along == rank) {
    setKept(point, readKeeper(source));
    return success();
  }
  auto copy = [&](Value lb, Value ub, Value moved) {
    return b.emitLoop(
        lb, ub, /*step=*/1,
        [&](Value at) {
          point.push_back(at);
          source.push_back(moved ? math.sub(at, moved) : at);
          LogicalResult copied = copyAlong(part, times, point, source);
          point.pop_back();
          source.pop_back();
          return copied;
        },
        /*vectorise=*/along == rank - 1);
  };
  Value first = part.lb[along], end = part.ub[along];
  if (!result.repeats(along))
    return copy(first, end, {});
  return b.emitLoop(
      times.lb[along], times.ub[along], /*step=*/1,
      [&](Value time) {
        Value lb = boxes.box.lb[along], ub = boxes.box.ub[along];
        Value moved = math.mul(time, math.sub(ub, lb));
        return copy(math.max(first, math.add(lb, moved)),
                    math.min(end, math.add(ub, moved)), moved);
      },
      /*vectorise=*/false);
}

/// Each time that the box is repeated by itself, so that rows are copied in one
/// piece.
LogicalResult StageHalo::copyLoad(const LoopBox &part) {
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
  return copyAlong(part, times, point, source);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// The points at a coordinate along an axis, of which the tile has some: of a
/// plane if there is a walk along another axis.
LogicalResult StageHalo::fillLayer(int64_t axis, bool upper, Value coordinate,
                                   Value plane) {
  Type element = cast<MemRefType>(buffer.memory.getType()).getElementType();
  HaloRule rule = result.getRule(axis, upper);
  HaloSide side(b, rule, upper, boxes.box.lb[axis], boxes.box.ub[axis],
                result.getReach(axis, upper));
  HaloLayer layer = side.makeLayerAt(coordinate);
  SmallVector<Value> point(rank);
  if (walk && plane)
    point[*walk] = plane;
  point[axis] = coordinate;
  return fillPoints(axis, point, [&] {
    Value value;
    if (rule.isKept()) {
      value = readBeside(axis, point);
    } else {
      SmallVector<Value> values, source(point);
      for (Value coordinate : layer.sources) {
        source[axis] = coordinate;
        values.push_back(readKept(source));
      }
      value = side.makeValue(layer, values, element);
    }
    setKept(point, value);
  });
}

/// The halo of a plane, or of a whole tile, along the axes from `firstAxis` on
/// that the walk does not take.
LogicalResult StageHalo::fillBeside(Value plane, int64_t firstAxis) {
  for (int64_t axis = firstAxis; axis < rank; ++axis)
    for (bool upper : {false, true}) {
      if (axis == walk || !result.hasHalo(axis, upper))
        continue;
      auto [lb, ub] = getLayers(axis, upper);
      if (failed(b.emitLoop(
              lb, ub, /*step=*/1,
              [&](Value coordinate) {
                return fillLayer(axis, upper, coordinate, plane);
              },
              /*vectorise=*/false)))
        return failure();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

LogicalResult StageHalo::fillPlane(bool upper, Value plane) {
  return success(succeeded(fillLayer(*walk, upper, plane, plane)) &&
                 succeeded(fillBeside(plane, *walk + 1)));
}

LogicalResult StageHalo::fillAfter(Value plane) {
  if (failed(fillBeside(plane, 0)))
    return failure();
  int64_t sources = result.countSources(*walk, /*upper=*/false);
  if (sources == 0)
    return success();
  // The last one that they are made of.
  Value last = math.add(boxes.box.lb[*walk], sources - 1);
  Value isLast = math.compare(arith::CmpIPredicate::eq, plane, last);
  return b.emitIf(isLast, [&] {
    auto [lb, ub] = getLayers(*walk, /*upper=*/false);
    return b.emitLoop(
        lb, ub, /*step=*/1,
        [&](Value before) { return fillPlane(/*upper=*/false, before); },
        /*vectorise=*/false);
  });
}

LogicalResult StageHalo::fillBehind(Value plane) {
  if (!result.hasHalo(*walk, /*upper=*/true))
    return success();
  auto [lb, ub] = getLayers(*walk, /*upper=*/true);
  Value isHere = math.both(math.lessEqual(lb, plane), math.less(plane, ub));
  return b.emitIf(isHere, [&] { return fillPlane(/*upper=*/true, plane); });
}
