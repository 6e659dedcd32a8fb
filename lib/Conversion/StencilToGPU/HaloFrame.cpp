//===- HaloFrame.cpp - What a block reads beyond a box --------------------===//

#include "HaloFrame.h"
#include "StencilDialect/Conversion/BoundaryMath.h"

using namespace mlir;
using namespace stencil;

HaloFrame::HaloFrame(TileBlock &block, BoundsAttr needs,
                     tile::BoundaryAttr boundary)
    : block(block), math(block.math), needs(OffsetBox::ofBounds(needs)),
      reach(boundary.findReach(block.tiles.getDomain(), this->needs)),
      boundary(boundary) {}

bool HaloFrame::isChanged(int64_t axis, bool upper) const {
  return getReach(axis, upper) > 0 &&
         !getHaloRule(getCondition(axis, upper)).isKept();
}

int64_t HaloFrame::getSpan(int64_t axis) const {
  return block.tiles.getTile(axis) + needs.upper[axis] - needs.lower[axis];
}

Value HaloFrame::getStart(int64_t axis) const {
  return math.add(block.tileStart[axis], needs.lower[axis]);
}

HaloAxis HaloFrame::getAxis(int64_t axis) const {
  return {block.kernel.getBound(boundary.getBox().getLb()[axis], axis),
          block.kernel.getBound(boundary.getBox().getUb()[axis], axis),
          {getCondition(axis, false), getCondition(axis, true)},
          {getReach(axis, false), getReach(axis, true)}};
}

Value HaloFrame::findEdge() const {
  Value edge;
  for (int64_t axis = 0; axis < getRank(); ++axis) {
    HaloAxis along = getAxis(axis);
    bool isWalk = block.walk == axis;
    Value limit = block.grid.getUb(axis);
    Value first = isWalk ? block.segmentStart : block.tileStart[axis];
    Value end =
        isWalk
            ? block.segmentEnd
            : math.smaller(math.add(first, block.tiles.getTile(axis)), limit);
    if (isChanged(axis, false))
      edge = math.either(
          edge, math.less(math.add(first, needs.lower[axis]), along.lb));
    if (isChanged(axis, true))
      edge = math.either(edge,
                         math.less(along.ub, math.add(end, needs.upper[axis])));
  }
  return edge;
}

Value HaloFrame::isNeeded(Value plane) const {
  Value first = math.add(block.segmentStart, needs.lower[*block.walk]);
  Value end = math.add(block.segmentEnd, needs.upper[*block.walk]);
  return math.isWithin(plane, first, end);
}

Value HaloFrame::getSourcePlane(Type elementType, Value plane) const {
  int64_t walk = *block.walk;
  SmallVector<Value> point(getRank());
  point[walk] = plane;
  HaloSource source(block.kernel, elementType, point);
  source.follow(walk, getAxis(walk));
  return source.point[walk];
}

//===----------------------------------------------------------------------===//
// Where halo points have their values from
//===----------------------------------------------------------------------===//

/// The coordinate that one in the halo has its value from.
static Value findSource(const Arithmetic &math, const HaloAxis &along,
                        bool upper, Value coordinate) {
  HaloRule rule = getHaloRule(along.conditions[upper]);
  int64_t width = along.widths[upper];
  if (rule.isConstant())
    return along.lb;
  Value extent = math.sub(along.ub, along.lb);
  // An interior that is as wide as the halo is left behind by one step.
  if (rule.wraps() && Arithmetic::getConstant(extent).value_or(1) >= width)
    return upper ? math.sub(coordinate, extent) : math.add(coordinate, extent);
  return getBoundarySource(math, rule, upper, along.lb, along.ub, width,
                           coordinate);
}

void HaloSource::follow(int64_t axis, const HaloAxis &along) {
  Value coordinate = point[axis];
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  auto unless = [&](Value here, Value flag) {
    return flag ? math.both(here, b.createOrFold<arith::XOrIOp>(flag, yes))
                : here;
  };
  for (bool upper : {false, true}) {
    if (along.widths[upper] == 0)
      continue;
    HaloRule rule = getHaloRule(along.conditions[upper]);
    Value here = upper ? math.lessEqual(along.ub, coordinate)
                       : math.less(coordinate, along.lb);
    here = unless(here, isKept);
    if (rule.isKept()) {
      isKept = math.either(isKept, here);
      continue;
    }
    // Also where the value is fixed already: a halo point may be written by
    // some other thread right now, and is better not read.
    point[axis] = math.select(here, findSource(math, along, upper, coordinate),
                              point[axis]);
    here = unless(here, isFixed);
    if (rule.isNegated)
      isNegated =
          isNegated ? b.createOrFold<arith::XOrIOp>(isNegated, here) : here;
    if (!rule.isConstant())
      continue;
    Value value =
        arith::ConstantOp::create(b, convertNumber(rule.value, elementType));
    fixed = fixed ? math.select(here, value, fixed) : value;
    isFixed = math.either(isFixed, here);
  }
}

Value HaloSource::finish(Value value) const {
  if (isFixed)
    value = math.select(isFixed, fixed, value);
  if (isNegated)
    value = math.select(isNegated, negate(b, b.getLoc(), value), value);
  return value;
}
