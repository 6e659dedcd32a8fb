//===- HaloSide.cpp - The halo on one side of a box -----------------------===//

#include "HaloSide.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace stencil;

/// The outermost point of the box.
Value HaloSide::getEdge(OpBuilder &builder) const {
  return upper ? Arithmetic(builder, loc, builder.getIndexType()).add(ub, -1)
               : lb;
}

HaloLayer HaloSide::makeLayer(OpBuilder &builder, int64_t distance) const {
  Arithmetic math(builder, loc, builder.getIndexType());
  HaloLayer layer = makeLayerAt(
      builder, math.add(getEdge(builder), upper ? distance : -distance));
  layer.distance = distance;
  return layer;
}

HaloLayer HaloSide::makeLayerAt(OpBuilder &builder, Value coordinate) const {
  HaloLayer layer;
  layer.coordinate = coordinate;
  if (rule.isFixed())
    return layer;
  Arithmetic math(builder, loc, builder.getIndexType());
  if (rule.isPolynomial()) {
    Value edge = getEdge(builder);
    for (int64_t node = 0; node <= rule.order; ++node)
      layer.sources.push_back(math.add(edge, upper ? -node : node));
    return layer;
  }
  layer.sources.push_back(
      getBoundarySource(math, rule, upper, lb, ub, width, coordinate));
  return layer;
}

/// A whole number, of the type of values.
static Value convertWhole(OpBuilder &builder, Location loc, Value number,
                          Type type) {
  if (type.isF64())
    return number;
  if (isa<FloatType>(type))
    return arith::TruncFOp::create(builder, loc, type, number);
  Value wide =
      arith::FPToSIOp::create(builder, loc, builder.getI64Type(), number);
  return type.isInteger(64)
             ? wide
             : arith::TruncIOp::create(builder, loc, type, wide).getResult();
}

/// As `extrapolate`, of a layer whose distance is known when the program runs:
/// its weights are computed as getExtrapolationWeight does.
Value HaloSide::extrapolateAt(OpBuilder &builder, Value coordinate,
                              ValueRange values, Type element) const {
  Arithmetic math(builder, loc, builder.getIndexType());
  Type f64 = builder.getF64Type();
  auto toF64 = [&](Value number) -> Value {
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
    return arith::SIToFPOp::create(builder, loc, f64, wide);
  };
  Value edge = getEdge(builder);
  // From the edge inwards.
  Value place = upper ? math.sub(edge, coordinate) : math.sub(coordinate, edge);
  Value sum;
  for (auto [node, value] : llvm::enumerate(values)) {
    Value weight = toF64(math.constant(1));
    for (int64_t other = 0; other <= rule.order; ++other) {
      int64_t distance = static_cast<int64_t>(node) - other;
      if (distance == 0)
        continue;
      Value factor =
          arith::DivFOp::create(builder, loc, toF64(math.add(place, -other)),
                                toF64(math.constant(distance)));
      weight = arith::MulFOp::create(builder, loc, weight, factor);
    }
    weight = math::RoundEvenOp::create(builder, loc, weight);
    weight = convertWhole(builder, loc, weight, element);
    bool isFloat = isa<FloatType>(element);
    auto combine = [&](auto floats, auto integers, Value a, Value b) -> Value {
      if (isFloat)
        return decltype(floats)::create(builder, loc, a, b);
      return decltype(integers)::create(builder, loc, a, b);
    };
    Value term = combine(arith::MulFOp(), arith::MulIOp(), value, weight);
    sum = sum ? combine(arith::AddFOp(), arith::AddIOp(), sum, term) : term;
  }
  return sum;
}

Value HaloSide::makeValue(OpBuilder &builder, const HaloLayer &layer,
                          ValueRange values, Type element) const {
  Value value;
  if (rule.isConstant())
    value = arith::ConstantOp::create(builder, loc,
                                      convertNumber(rule.value, element));
  else if (rule.isPolynomial() && layer.distance > 0)
    value = extrapolate(builder, loc, values, rule.order, layer.distance);
  else if (rule.isPolynomial())
    value = extrapolateAt(builder, layer.coordinate, values, element);
  else
    value = values.front();
  return rule.isNegated ? negate(builder, loc, value) : value;
}
