//===- HaloPatch.cpp - Boundary conditions in shared windows --------------===//
//
// The points of a plane that lie beside the box are dealt out in slabs, one per
// axis: the slab of an axis is what is beside the box along it, over the halos
// of the axes before and the box along those behind. So no point is written
// twice. A plane beyond the box, along the walk, is that of its source, and is
// written over as a whole where the condition changes values: to constants, or
// to the other sign.
//
//===----------------------------------------------------------------------===//

#include "RingFills.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What the conditions ask for
//===----------------------------------------------------------------------===//

/// Whether threads write what is beyond a side of an axis in the plane. What is
/// kept, they write as well if planes come from elsewhere: the halo of an
/// earlier axis ends where that of a later one is.
bool HaloPatch::isPatched(int64_t axis, bool upper) const {
  if (frame.getReach(axis, upper) == 0)
    return false;
  if (frame.isChanged(axis, upper))
    return true;
  for (int64_t earlier = 0; earlier < axis; ++earlier)
    if (frame.isChanged(earlier, false) || frame.isChanged(earlier, true))
      return true;
  return false;
}

/// Of the slab of an axis.
uint64_t HaloPatch::countPoints(int64_t axis) const {
  uint64_t count = 0;
  for (bool upper : {false, true})
    count += isPatched(axis, upper) ? frame.getReach(axis, upper) : 0;
  for (int64_t other = 0; other < frame.getRank(); ++other)
    if (other != axis && block.walk != other)
      count = llvm::SaturatingMultiply<uint64_t>(count, frame.getSpan(other));
  return count;
}

/// A window holds fewer; but a single tap may be read far beyond the box.
static constexpr uint64_t kMaxPoints = 1 << 20;

LogicalResult HaloPatch::check(Operation *op) const {
  for (int64_t axis = 0; axis < frame.getRank(); ++axis)
    if (block.walk != axis && countPoints(axis) > kMaxPoints)
      return op->emitOpError("expected at most ")
             << kMaxPoints << " points beside the box along axis " << axis
             << ", got " << countPoints(axis)
             << "; fill the halo with stencil.boundary instead";
  for (int64_t axis = 0; axis < frame.getRank(); ++axis)
    for (bool upper : {false, true})
      if (frame.getReach(axis, upper) > 0 &&
          getHaloRule(frame.getCondition(axis, upper)).isPolynomial())
        return op->emitOpError("has no lowering: ")
               << frame.getCondition(axis, upper)
               << " takes each value from several points; expected "
                  "stencil.boundary for it";
  return success();
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Where a point is in a plane, given its place in what is needed: its part of
/// an axis.
Value HaloPatch::getTarget(int64_t axis, Value at) const {
  int64_t first = ring.type.getBox().getLb()[axis];
  return ring.places.findPlace(
      math, axis, math.add(at, frame.getNeeds().lower[axis] - first), first);
}

/// The point of this number in the slab of an axis.
HaloPatch::Point HaloPatch::makePoint(int64_t axis, Value number) const {
  Point point;
  point.coordinates.resize(frame.getRank());
  point.target = math.constant(0);
  Value rest = number;
  for (int64_t other = frame.getRank() - 1; other >= 0; --other) {
    if (block.walk == other)
      continue;
    HaloAxis along = frame.getAxis(other);
    Value start = frame.getStart(other);
    int64_t lower = isPatched(axis, false) ? frame.getReach(axis, false) : 0;
    int64_t upper = isPatched(axis, true) ? frame.getReach(axis, true) : 0;
    int64_t count = other == axis ? lower + upper : frame.getSpan(other);
    Value at = math.rem(rest, count);
    rest = math.div(rest, count);
    Value coordinate = math.add(start, at);
    Value first = along.lb, end = along.ub;
    if (other == axis) {
      // The lower layers, then the upper ones.
      Value below = math.add(math.add(along.lb, -lower), at);
      Value above = math.add(math.add(along.ub, -lower), at);
      coordinate = math.select(math.less(at, lower), below, above);
      at = math.sub(coordinate, start);
      first = start;
      end = math.add(start, frame.getSpan(axis));
    } else if (other < axis) {
      first = math.add(first, -frame.getReach(other, false));
      end = math.add(end, frame.getReach(other, true));
    }
    point.exists = math.isWithin(coordinate, first, end, point.exists);
    point.coordinates[other] = coordinate;
    point.target = math.add(point.target, getTarget(other, at));
  }
  return point;
}

/// Those of the slab of an axis that are this thread's.
void HaloPatch::addPoints(int64_t axis) {
  auto count = static_cast<int64_t>(countPoints(axis));
  int64_t threads = block.tiles.countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    Value number = math.add(block.threadNumber, first);
    Point point = makePoint(axis, number);
    if (first + threads > count)
      point.exists = math.both(point.exists, math.less(number, count));
    points.push_back(std::move(point));
  }
}

void HaloPatch::prepare() {
  points.clear();
  loaded.clear();
  for (int64_t axis = 0; axis < frame.getRank(); ++axis)
    if (block.walk != axis)
      addPoints(axis);
}

/// Where a point of a plane has its value from.
HaloSource HaloPatch::locate(const Point &point, Value plane) const {
  SmallVector<Value> coordinates = point.coordinates;
  if (plane)
    coordinates[*block.walk] = plane;
  HaloSource source(block.kernel, ring.type.getElementType(), coordinates);
  for (int64_t axis = frame.getRank() - 1; axis >= 0; --axis)
    source.follow(axis, frame.getAxis(axis));
  return source;
}

void HaloPatch::load(Value plane) {
  Value zero =
      arith::getZeroConstant(b, b.getLoc(), ring.type.getElementType());
  SmallVector<Value> &values = loaded.emplace_back();
  for (const Point &point : points) {
    HaloSource source = locate(point, plane);
    Value isLoaded = point.exists;
    if (plane)
      isLoaded = math.both(isLoaded, frame.isNeeded(plane));
    Value position =
        math.toIndex(field.layout->getPosition(math, source.point));
    auto load = [&]() -> Value {
      return memref::LoadOp::create(b, field.buffer, position);
    };
    values.push_back(makeIf(b, b.getLoc(), isLoaded, load, zero));
  }
}

/// A plane beyond the box on this side of the walk, whose condition changes
/// values: beside the box, points are written on their own.
void HaloPatch::storePlane(Value plane, Value slot, bool upper) {
  int64_t walk = *block.walk, rank = frame.getRank();
  HaloAxis along = frame.getAxis(walk);
  Value isBeyond =
      upper ? math.lessEqual(along.ub, plane) : math.less(plane, along.lb);
  // Where only planes behind are read, the first iterations come before any of
  // them has.
  if (frame.getNeeds().upper[walk] <= 0)
    isBeyond = math.both(isBeyond, frame.isNeeded(plane));
  OpBuilder::InsertionGuard guard(b);
  openIf(b, b.getLoc(), isBeyond);
  int64_t count = 1;
  for (int64_t axis = 0; axis < rank; ++axis)
    count *= axis == walk ? 1 : frame.getSpan(axis);
  auto loop = scf::ForOp::create(b, block.threadNumber, math.constant(count),
                                 math.constant(block.tiles.countThreads()));
  b.setInsertionPoint(loop.getBody()->getTerminator());
  Value rest = loop.getInductionVar(), target, isHere;
  target = math.mul(slot, ring.type.getSlotElements());
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    if (axis == walk)
      continue;
    Value at = math.rem(rest, frame.getSpan(axis));
    rest = math.div(rest, frame.getSpan(axis));
    Value coordinate = math.add(frame.getStart(axis), at);
    HaloAxis beside = frame.getAxis(axis);
    Value first = math.add(
        beside.lb, isPatched(axis, false) ? 0 : -frame.getReach(axis, false));
    Value end = math.add(
        beside.ub, isPatched(axis, true) ? 0 : frame.getReach(axis, true));
    isHere = math.isWithin(coordinate, first, end, isHere);
    target = math.add(target, getTarget(axis, at));
  }
  openIf(b, b.getLoc(), isHere);
  Value value;
  if (HaloRule rule = getHaloRule(along.conditions[upper]); rule.isConstant())
    value = arith::ConstantOp::create(
        b, convertNumber(rule.value, ring.type.getElementType()));
  else
    value =
        negate(b, b.getLoc(),
               memref::LoadOp::create(b, ring.elements, math.toIndex(target)));
  memref::StoreOp::create(b, value, ring.elements, math.toIndex(target));
}

void HaloPatch::store(Value plane, Value slot) {
  if (plane)
    for (bool upper : {false, true})
      if (int64_t walk = *block.walk;
          frame.isChanged(walk, upper) &&
          !getHaloRule(frame.getCondition(walk, upper)).isCopy())
        storePlane(plane, slot, upper);
  SmallVector<Value> values = std::move(loaded.front());
  loaded.erase(loaded.begin());
  for (auto [point, loadedValue] : llvm::zip_equal(points, values)) {
    Value value = locate(point, plane).finish(loadedValue);
    Value target = math.toIndex(
        math.add(point.target, math.mul(slot, ring.type.getSlotElements())));
    auto branch = scf::IfOp::create(b, point.exists);
    OpBuilder inside = branch.getThenBodyBuilder();
    memref::StoreOp::create(inside, b.getLoc(), value, ring.elements, target);
  }
  // The copy engine writes to the same place later.
  if (ring.type.getFill() == tile::Fill::Tma)
    fenceCopyEngine(b, b.getLoc());
}
