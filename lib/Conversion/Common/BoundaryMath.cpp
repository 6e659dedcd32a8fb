//===- BoundaryMath.cpp - Values of halo points ---------------------------===//

#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/Conversion/SumArithmetic.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

TypedAttr stencil::convertNumber(TypedAttr value, Type elementType) {
  if (auto type = dyn_cast<FloatType>(elementType)) {
    bool losesInfo = false;
    APFloat number(0.0);
    if (auto attr = dyn_cast<FloatAttr>(value))
      number = attr.getValue();
    else
      number.convertFromAPInt(cast<IntegerAttr>(value).getValue(),
                              /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return FloatAttr::get(type, number);
  }
  unsigned width = cast<IntegerType>(elementType).getWidth();
  return IntegerAttr::get(
      elementType, cast<IntegerAttr>(value).getValue().sextOrTrunc(width));
}

DirichletAttr stencil::getZeroCondition(Type elementType) {
  Builder builder(elementType.getContext());
  return DirichletAttr::get(builder.getContext(),
                            cast<TypedAttr>(builder.getZeroAttr(elementType)));
}

Value stencil::getBoundarySource(const Arithmetic &math, const HaloRule &rule,
                                 bool upper, Value lb, Value ub, int64_t halo,
                                 Value coordinate) {
  Value last = math.add(ub, -1);
  Value edge = upper ? last : lb;
  if (!rule.wraps()) {
    Value source = edge;
    if (rule.step == 1)
      source = math.sub(math.add(edge, edge), coordinate);
    else if (rule.step != 0)
      source = math.add(edge, math.mul(math.sub(edge, coordinate), rule.step));
    return rule.first == 0 ? source
                           : math.add(source, upper ? -rule.first : rule.first);
  }
  // Periodic: lb + (c - lb) mod n. The dividend is made positive by a multiple
  // of n that is at least as large as the halo.
  Value n = math.sub(ub, lb);
  Value positive = math.add(math.sub(coordinate, lb), math.mul(n, halo));
  return math.add(lb, math.rem(positive, n));
}

Value stencil::negate(OpBuilder &builder, Location loc, Value value) {
  if (isa<FloatType>(value.getType()))
    return arith::NegFOp::create(builder, loc, value);
  Value zero = arith::getZeroConstant(builder, loc, value.getType());
  return arith::SubIOp::create(builder, loc, zero, value);
}

double stencil::getExtrapolationWeight(int64_t order, int64_t layer,
                                       int64_t node) {
  double weight = 1;
  for (int64_t other = 0; other <= order; ++other)
    if (other != node)
      weight *= static_cast<double>(-layer - other) /
                static_cast<double>(node - other);
  return std::nearbyint(weight);
}

Value stencil::extrapolate(OpBuilder &builder, Location loc, ValueRange values,
                           int64_t order, int64_t layer) {
  Type type = values.front().getType();
  SumArithmetic sums(builder, loc, type, arith::FastMathFlags::none);
  Value sum;
  for (auto [node, value] : llvm::enumerate(values)) {
    double weight = getExtrapolationWeight(order, layer, node);
    TypedAttr attr = isa<FloatType>(type)
                         ? TypedAttr(builder.getFloatAttr(type, weight))
                         : TypedAttr(builder.getIntegerAttr(
                               type, static_cast<int64_t>(weight)));
    Value factor = arith::ConstantOp::create(builder, loc, attr);
    Value term = sums.multiply(value, factor);
    sum = sum ? sums.add(sum, term) : term;
  }
  return sum;
}
