//===- HaloSide.cpp - The halo on one side of a box -----------------------===//

#include "HaloSide.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

/// The outermost point of the box.
Value HaloSide::getEdge(OpBuilder &builder) const {
  return upper ? Arithmetic(builder, loc, builder.getIndexType()).add(ub, -1)
               : lb;
}

HaloLayer HaloSide::makeLayer(OpBuilder &builder, int64_t distance) const {
  Arithmetic math(builder, loc, builder.getIndexType());
  Value edge = getEdge(builder);
  Value coordinate = math.add(edge, upper ? distance : -distance);
  HaloLayer layer;
  if (rule.isPolynomial()) {
    layer.coordinate = coordinate;
    for (int64_t node = 0; node <= rule.order; ++node)
      layer.sources.push_back(math.add(edge, upper ? -node : node));
  } else {
    layer = makeLayerAt(builder, coordinate);
  }
  layer.distance = distance;
  return layer;
}

HaloLayer HaloSide::makeLayerAt(OpBuilder &builder, Value coordinate) const {
  HaloLayer layer;
  layer.coordinate = coordinate;
  if (rule.isConstant())
    return layer;
  Arithmetic math(builder, loc, builder.getIndexType());
  layer.sources.push_back(
      getBoundarySource(math, rule, upper, lb, ub, width, coordinate));
  return layer;
}

Value HaloSide::makeValue(OpBuilder &builder, const HaloLayer &layer,
                          ValueRange values, Type element) const {
  Value value;
  if (rule.isConstant())
    value = arith::ConstantOp::create(builder, loc,
                                      convertNumber(rule.value, element));
  else if (rule.isPolynomial())
    value = extrapolate(builder, loc, values, rule.order, layer.distance);
  else
    value = values.front();
  return rule.isNegated ? negate(builder, loc, value) : value;
}
