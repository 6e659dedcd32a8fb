//===- HaloSide.cpp - The halo on one side of a box -----------------------===//

#include "HaloSide.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace stencil;

/// The outermost point of the box.
Value HaloSide::getEdge() const { return upper ? b.math.add(ub, -1) : lb; }

HaloLayer HaloSide::makeLayer(int64_t distance) const {
  HaloLayer layer =
      makeLayerAt(b.math.add(getEdge(), upper ? distance : -distance));
  layer.distance = distance;
  return layer;
}

HaloLayer HaloSide::makeLayerAt(Value coordinate) const {
  HaloLayer layer;
  layer.coordinate = coordinate;
  if (rule.isFixed())
    return layer;
  if (rule.isPolynomial()) {
    Value edge = getEdge();
    for (int64_t node = 0; node <= rule.order; ++node)
      layer.sources.push_back(b.math.add(edge, upper ? -node : node));
    return layer;
  }
  layer.sources.push_back(
      getBoundarySource(b.math, rule, upper, lb, ub, width, coordinate));
  return layer;
}

/// A whole number, of the type of values.
static Value convertWhole(LoopBuilder &b, Value number, Type type) {
  if (type.isF64())
    return number;
  if (isa<FloatType>(type))
    return arith::TruncFOp::create(b, type, number);
  Value wide = arith::FPToSIOp::create(b, b.getI64Type(), number);
  return type.isInteger(64)
             ? wide
             : arith::TruncIOp::create(b, type, wide).getResult();
}

/// As `extrapolate`, of a layer whose distance is known when the program runs:
/// its weights are computed as getExtrapolationWeight does.
Value HaloSide::extrapolateAt(Value coordinate, ValueRange values,
                              Type element) const {
  Type f64 = b.getF64Type();
  auto toF64 = [&](Value number) -> Value {
    Value wide = arith::IndexCastOp::create(b, b.getI64Type(), number);
    return arith::SIToFPOp::create(b, f64, wide);
  };
  Value edge = getEdge();
  // From the edge inwards.
  Value place =
      upper ? b.math.sub(edge, coordinate) : b.math.sub(coordinate, edge);
  SumArithmetic sums(b, b.getLoc(), element, arith::FastMathFlags::none);
  Value sum;
  for (auto [node, value] : llvm::enumerate(values)) {
    Value weight = toF64(b.math.constant(1));
    for (int64_t other = 0; other <= rule.order; ++other) {
      int64_t distance = static_cast<int64_t>(node) - other;
      if (distance == 0)
        continue;
      Value factor = arith::DivFOp::create(b, toF64(b.math.add(place, -other)),
                                           toF64(b.math.constant(distance)));
      weight = arith::MulFOp::create(b, weight, factor);
    }
    weight = math::RoundEvenOp::create(b, weight);
    weight = convertWhole(b, weight, element);
    Value term = sums.multiply(value, weight);
    sum = sum ? sums.add(sum, term) : term;
  }
  return sum;
}

Value HaloSide::makeValue(const HaloLayer &layer, ValueRange values,
                          Type element) const {
  Value value;
  if (rule.isConstant())
    value = arith::ConstantOp::create(b, convertNumber(rule.value, element));
  else if (rule.isPolynomial() && layer.distance > 0)
    value = extrapolate(b, b.getLoc(), values, rule.order, layer.distance);
  else if (rule.isPolynomial())
    value = extrapolateAt(layer.coordinate, values, element);
  else
    value = values.front();
  return rule.isNegated ? negate(b, b.getLoc(), value) : value;
}
