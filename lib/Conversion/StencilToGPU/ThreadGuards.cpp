//===- ThreadGuards.cpp - Which points are computed -----------------------===//

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "ThreadValues.h"

using namespace mlir;
using namespace stencil;
using tile::CoreAndRimAttr;

bool ThreadGuards::splitsRows() const {
  BoundsAttr inner = block.tiles.getInner();
  if (!inner || !group.isOwn())
    return false;
  ArrayRef<int64_t> points = block.tiles.getPoints();
  for (int64_t axis = 0; axis + 1 < inner.getRank(); ++axis)
    if (inner.getLb()[axis] % points[axis] != 0 ||
        inner.getUb()[axis] % points[axis] != 0)
      return true;
  return false;
}

Value ThreadGuards::isInner(const TilePoint &point) const {
  BoundsAttr inner = block.tiles.getInner();
  if (!inner || !group.isOwn())
    return {};
  Value isInside;
  for (int64_t axis = 0; axis < inner.getRank(); ++axis) {
    if (axis == block.walk)
      continue;
    Value first = math.add(group.position[axis], point[axis]);
    if (int64_t lower = inner.getLb()[axis])
      isInside = math.both(isInside, math.lessEqual(lower, first));
    if (int64_t upper = inner.getUb()[axis]; upper < block.tiles.getTile(axis))
      isInside = math.both(isInside, math.less(first, upper));
  }
  return isInside;
}

Value ThreadGuards::isWhere(BoundsAttr needs, ArrayRef<int64_t> points,
                            const BasePoint &base) const {
  if (!needs && group.isOwn())
    return block.grid.isInside(base, points);
  BoundsAttr domain = block.tiles.getDomain();
  if (!needs)
    needs = OffsetBox::zero(domain.getRank()).toBounds(domain.getContext());
  Value inside;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    // Planes are computed for those that come.
    if (axis == block.walk)
      continue;
    Value lower = math.add(block.grid.getLb(axis), needs.getLb()[axis]);
    Value upper = math.add(block.grid.getUb(axis), needs.getUb()[axis] - 1);
    inside = math.both(inside, math.lessEqual(lower, base.coordinates[axis]));
    inside = math.both(
        inside,
        math.lessEqual(math.add(base.coordinates[axis], points[axis]), upper));
  }
  return inside;
}

Value ThreadGuards::isPlane(tile::WhereOp where) const {
  int64_t walk = *block.walk;
  std::optional<int64_t> own;
  where.getBody().walk<WalkOrder::PreOrder>([&](ApplyOp stage) {
    own = stage.getDomain().getLb()[walk];
    return WalkResult::interrupt();
  });
  Value plane = math.add(block.getPlane(where.getIteration()), own.value_or(0));
  // `box`: how far it reaches beyond these planes, and one more.
  auto isAround = [&](Value first, Value end, BoundsAttr box) {
    first = math.add(first, box.getLb()[walk]);
    end = math.add(end, box.getUb()[walk] - 1);
    return math.isWithin(plane, first, end);
  };
  Value isWanted =
      isAround(block.segmentStart, block.segmentEnd, *where.getNeeds());
  auto within = where->getAttrOfType<BoundsAttr>(kWithinAttr);
  if (!within)
    return isWanted;
  Value first = block.grid.getLb(walk), end = block.grid.getUb(walk);
  return math.both(isWanted, isAround(first, end, within));
}

Value ThreadGuards::isInRim(BoundsAttr box, CoreAndRimAttr layout) const {
  auto isAll = [&](int64_t axis) {
    return block.walk == axis ||
           (box.getLb()[axis] == layout.getBox().getLb()[axis] &&
            box.getUb()[axis] == layout.getBox().getUb()[axis]);
  };
  if (llvm::all_of(llvm::seq(box.getRank()), isAll))
    return {};
  Value within;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    // Several points of a row lie before or behind the tile, not beside it.
    if (block.walk == axis || group.counts[axis] > 1)
      continue;
    within = math.isWithin(group.position[axis], box.getLb()[axis],
                           box.getUb()[axis], within);
  }
  return within;
}
