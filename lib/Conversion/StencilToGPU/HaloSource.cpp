//===- HaloSource.cpp - Where halo points have their values from ----------===//

#include "HaloFrame.h"
#include "StencilDialect/Conversion/BoundaryMath.h"

using namespace mlir;
using namespace stencil;

/// Sets a flag, which may be null, where `here` is set.
void HaloSource::join(Value &flag, Value here) const {
  flag = flag ? builder.createOrFold<arith::OrIOp>(loc, flag, here) : here;
}

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

void HaloSource::follow(const Arithmetic &math, int64_t axis,
                        const HaloAxis &along) {
  Value coordinate = point[axis];
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  auto unless = [&](Value here, Value flag) {
    return flag ? math.both(here,
                            builder.createOrFold<arith::XOrIOp>(loc, flag, yes))
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
      join(isKept, here);
      continue;
    }
    // Also where the value is fixed already: a halo point may be written by
    // some other thread right now, and is better not read.
    point[axis] = math.select(here, findSource(math, along, upper, coordinate),
                              point[axis]);
    here = unless(here, isFixed);
    if (rule.isNegated)
      isNegated =
          isNegated ? builder.createOrFold<arith::XOrIOp>(loc, isNegated, here)
                    : here;
    if (!rule.isConstant())
      continue;
    Value value = arith::ConstantOp::create(
        builder, loc, convertNumber(rule.value, elementType));
    fixed = fixed ? math.select(here, value, fixed) : value;
    join(isFixed, here);
  }
}

Value HaloSource::finish(Value value) const {
  if (isFixed)
    value = builder.createOrFold<arith::SelectOp>(loc, isFixed, fixed, value);
  if (isNegated)
    value = builder.createOrFold<arith::SelectOp>(
        loc, isNegated, negate(builder, loc, value), value);
  return value;
}
