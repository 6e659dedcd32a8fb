//===- HaloFrame.cpp - What a block reads beyond a box --------------------===//

#include "HaloFrame.h"

using namespace mlir;
using namespace stencil;

HaloFrame::HaloFrame(KernelBuilder &kernel, HaloTile tile, OffsetBox needs,
                     BoundsAttr box, ArrayAttr conditions)
    : kernel(kernel), tile(std::move(tile)), needs(std::move(needs)),
      reach(getHaloReach(this->tile.domain, box, this->needs)), box(box),
      conditions(conditions) {}

bool HaloFrame::isChanged(int64_t axis, bool upper) const {
  return getReach(axis, upper) > 0 &&
         !getHaloRule(getCondition(axis, upper)).isKept();
}

int64_t HaloFrame::getSpan(int64_t axis) const {
  return tile.points[axis] + needs.upper[axis] - needs.lower[axis];
}

Value HaloFrame::getStart(int64_t axis) const {
  return kernel.math().add(tile.start[axis], needs.lower[axis]);
}

HaloAxis HaloFrame::getAxis(int64_t axis) const {
  return {kernel.getBound(box.getLb()[axis], axis),
          kernel.getBound(box.getUb()[axis], axis),
          {getCondition(axis, false), getCondition(axis, true)},
          {getReach(axis, false), getReach(axis, true)}};
}

Value HaloFrame::findEdge() const {
  Arithmetic math = kernel.math();
  Value edge;
  auto add = [&](Value here) {
    edge = edge ? kernel.body().createOrFold<arith::OrIOp>(kernel.getLoc(),
                                                           edge, here)
                : here;
  };
  auto smaller = [&](Value a, Value b) {
    return math.select(math.less(a, b), a, b);
  };
  for (int64_t axis = 0; axis < getRank(); ++axis) {
    HaloAxis along = getAxis(axis);
    bool isWalk = tile.walk == axis;
    Value limit = kernel.getBound(tile.domain.getUb()[axis], axis);
    Value first = isWalk ? tile.segmentStart : tile.start[axis];
    Value end = isWalk ? tile.segmentEnd
                       : smaller(math.add(first, tile.points[axis]), limit);
    if (isChanged(axis, false))
      add(math.less(math.add(first, needs.lower[axis]), along.lb));
    if (isChanged(axis, true))
      add(math.less(along.ub, math.add(end, needs.upper[axis])));
  }
  return edge;
}

Value HaloFrame::isNeeded(Value plane) const {
  Arithmetic math = kernel.math();
  Value first = math.add(tile.segmentStart, needs.lower[*tile.walk]);
  Value end = math.add(tile.segmentEnd, needs.upper[*tile.walk]);
  return math.both(math.lessEqual(first, plane), math.less(plane, end));
}

Value HaloFrame::getSourcePlane(Type elementType, Value plane) const {
  int64_t walk = *tile.walk;
  SmallVector<Value> point(getRank());
  point[walk] = plane;
  HaloSource source(kernel.body(), kernel.getLoc(), elementType, point);
  source.follow(kernel.math(), walk, getAxis(walk));
  return source.point[walk];
}
