//===- HaloFrame.cpp - What a block reads beyond a box --------------------===//

#include "HaloFrame.h"

using namespace mlir;
using namespace stencil;

HaloFrame::HaloFrame(TileBlock &block, BoundsAttr needs,
                     tile::BoundaryAttr boundary)
    : block(block), needs(OffsetBox::ofBounds(needs)),
      reach(getHaloReach(block.tiles.getDomain(), boundary.getBox(),
                         this->needs)),
      boundary(boundary) {}

bool HaloFrame::isChanged(int64_t axis, bool upper) const {
  return getReach(axis, upper) > 0 &&
         !getHaloRule(getCondition(axis, upper)).isKept();
}

int64_t HaloFrame::getSpan(int64_t axis) const {
  return block.tiles.getTile(axis) + needs.upper[axis] - needs.lower[axis];
}

Value HaloFrame::getStart(int64_t axis) const {
  return block.kernel.math().add(block.tileStart[axis], needs.lower[axis]);
}

HaloAxis HaloFrame::getAxis(int64_t axis) const {
  return {block.kernel.getBound(boundary.getBox().getLb()[axis], axis),
          block.kernel.getBound(boundary.getBox().getUb()[axis], axis),
          {getCondition(axis, false), getCondition(axis, true)},
          {getReach(axis, false), getReach(axis, true)}};
}

Value HaloFrame::findEdge() const {
  Arithmetic math = block.kernel.math();
  Value edge;
  auto add = [&](Value here) {
    edge = edge ? block.kernel.body().createOrFold<arith::OrIOp>(
                      block.kernel.getLoc(), edge, here)
                : here;
  };
  auto smaller = [&](Value a, Value b) {
    return math.select(math.less(a, b), a, b);
  };
  for (int64_t axis = 0; axis < getRank(); ++axis) {
    HaloAxis along = getAxis(axis);
    bool isWalk = block.walk == axis;
    Value limit =
        block.kernel.getBound(block.tiles.getDomain().getUb()[axis], axis);
    Value first = isWalk ? block.segmentStart : block.tileStart[axis];
    Value end =
        isWalk ? block.segmentEnd
               : smaller(math.add(first, block.tiles.getTile(axis)), limit);
    if (isChanged(axis, false))
      add(math.less(math.add(first, needs.lower[axis]), along.lb));
    if (isChanged(axis, true))
      add(math.less(along.ub, math.add(end, needs.upper[axis])));
  }
  return edge;
}

Value HaloFrame::isNeeded(Value plane) const {
  Arithmetic math = block.kernel.math();
  Value first = math.add(block.segmentStart, needs.lower[*block.walk]);
  Value end = math.add(block.segmentEnd, needs.upper[*block.walk]);
  return math.both(math.lessEqual(first, plane), math.less(plane, end));
}

Value HaloFrame::getSourcePlane(Type elementType, Value plane) const {
  int64_t walk = *block.walk;
  SmallVector<Value> point(getRank());
  point[walk] = plane;
  HaloSource source(block.kernel.body(), block.kernel.getLoc(), elementType,
                    point);
  source.follow(block.kernel.math(), walk, getAxis(walk));
  return source.point[walk];
}
