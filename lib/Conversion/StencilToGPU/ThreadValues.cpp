//===- ThreadValues.cpp - What a thread holds -----------------------------===//

#include "ThreadValues.h"

using namespace mlir;
using namespace stencil;

ArrayRef<TilePoint> stencil::takeRow(ArrayRef<TilePoint> points) {
  return points.take_while([&](const TilePoint &point) {
    return std::equal(point.begin(), point.end() - 1, points.front().begin());
  });
}

bool stencil::isFirstOf(ArrayRef<int64_t> point, ArrayRef<int64_t> steps) {
  return llvm::all_of(llvm::zip_equal(point, steps), [](auto pair) {
    auto [along, step] = pair;
    return along % step == 0;
  });
}

TilePoint stencil::shiftPoint(ArrayRef<int64_t> point,
                              ArrayRef<int64_t> offset) {
  TilePoint shifted(point);
  for (auto [along, step] : llvm::zip_equal(shifted, offset))
    along += step;
  return shifted;
}

LaneValue ThreadValues::get(Value value, TilePoint point) const {
  if (Value poison = poisons.lookup(value))
    return {poison, {}};
  if (auto known = group->values.find(value); known != group->values.end())
    if (auto it = known->second.find(point); it != known->second.end())
      return it->second;
  if (auto shift = value.getDefiningOp<tile::ShiftOp>()) {
    ++point[*block.walk];
    return get(shift.getValues(), point);
  }
  if (auto join = value.getDefiningOp<tile::JoinOp>())
    for (Value plane : join.getPlanes()) {
      if (!block.walk)
        return get(plane, point);
      BoundsAttr box = getBounds(plane);
      int64_t along = point[*block.walk];
      if (box.getLb()[*block.walk] <= along && along < box.getUb()[*block.walk])
        return get(plane, point);
    }
  return {};
}

SmallVector<TilePoint> ThreadValues::listPlanes(Value value,
                                                TilePoint point) const {
  if (!block.walk)
    return {point};
  SmallVector<TilePoint> points;
  BoundsAttr box = getBounds(value);
  for (int64_t plane = box.getLb()[*block.walk];
       plane < box.getUb()[*block.walk]; ++plane) {
    point[*block.walk] = plane;
    points.push_back(point);
  }
  return points;
}

void ThreadValues::forEachHeld(Value value, TakeHeld take) {
  TilePoints *computed = group;
  auto takeOf = [&](TilePoints *of) {
    group = of;
    for (const TilePoint &point : of->points)
      for (const TilePoint &held : listPlanes(value, point))
        take(held);
  };
  takeOf(&points.getOwn());
  for (TilePoints *rim : points.getRim(value))
    takeOf(rim);
  group = computed;
}

BasePoint ThreadValues::getBase(Value plane) const {
  BasePoint base;
  base.alignment = onePoint.empty() ? block.grid.getAlignment(group->step) : 1;
  for (auto [axis, start] : llvm::enumerate(block.tileStart)) {
    Value first = block.math.add(start, group->position[axis]);
    if (!onePoint.empty())
      first = block.math.add(first, onePoint[axis]);
    base.coordinates.push_back(
        block.walk == static_cast<int64_t>(axis) ? plane : first);
  }
  return base;
}

Value ThreadValues::getRingBase(Value ringValue, Value cursor, int64_t plane) {
  const Arithmetic &math = block.math;
  const TileRing &ring = block.rings[ringValue];
  Value slot = block.getRingSlot(cursor, ring, plane);
  return math.toIndex(math.add(ring.positions[group->number],
                               math.mul(slot, ring.type.getSlotElements())));
}
