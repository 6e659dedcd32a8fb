//===- BoundaryConditions.cpp - Checks of boundary conditions -------------===//
//
// Those of stencil.boundary, and of windows that do its work.
//
//===----------------------------------------------------------------------===//

#include "BodyOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace stencil;

ParseResult stencil::parseConditions(AsmParser &parser, ArrayAttr &conditions) {
  SmallVector<Attribute> list;
  auto parseAxis = [&]() -> ParseResult {
    Attribute lower, upper;
    if (parser.parseAttribute(lower))
      return failure();
    upper = lower;
    if (succeeded(parser.parseOptionalVerticalBar()) &&
        parser.parseAttribute(upper))
      return failure();
    list.push_back(lower);
    list.push_back(upper);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
    return failure();
  conditions = ArrayAttr::get(parser.getContext(), list);
  return success();
}

void stencil::printConditions(AsmPrinter &printer, Operation *,
                              ArrayAttr conditions) {
  printer << '[';
  for (size_t i = 0; i + 1 < conditions.size(); i += 2) {
    if (i != 0)
      printer << ", ";
    printer << conditions[i];
    if (conditions[i] != conditions[i + 1])
      printer << " | " << conditions[i + 1];
  }
  printer << ']';
}

/// Checks that a field of `elementType` can hold the value of `condition`.
static LogicalResult verifyValue(Operation *op, Attribute condition,
                                 TypedAttr number, Type elementType) {
  auto integer = dyn_cast_or_null<IntegerAttr>(number);
  if (!integer && !isa_and_nonnull<FloatAttr>(number))
    return op->emitOpError("expected a number as the value of ") << condition;
  bool fits = false;
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    // Rounding is fine, a number that becomes infinite is not.
    APFloat value(floatType.getFloatSemantics());
    APFloat::opStatus status = APFloat::opOK;
    bool losesInfo = false;
    if (integer) {
      status = value.convertFromAPInt(integer.getValue(), /*IsSigned=*/true,
                                      APFloat::rmNearestTiesToEven);
    } else {
      value = cast<FloatAttr>(number).getValue();
      status = value.convert(floatType.getFloatSemantics(),
                             APFloat::rmNearestTiesToEven, &losesInfo);
    }
    fits = !(status & APFloat::opOverflow);
  } else {
    if (!integer)
      return op->emitOpError("expected an integer value for a field of ")
             << elementType << ", got " << condition;
    auto type = cast<IntegerType>(elementType);
    // A field without sign holds what either reading can.
    fits = (!type.isUnsigned() &&
            integer.getValue().getSignificantBits() <= type.getWidth()) ||
           (!type.isSigned() && !integer.getValue().isNegative() &&
            integer.getValue().getActiveBits() <= type.getWidth());
  }
  if (fits)
    return success();
  return op->emitOpError("expected a value that fits in ")
         << elementType << ", got " << condition;
}

/// Checks the numbers of a rule, which may be those of another dialect.
static LogicalResult verifyRule(Operation *op, Attribute condition,
                                const HaloRule &rule) {
  constexpr int64_t most = HaloRule::kMaxDistance;
  bool isPoint = rule.kind == HaloRule::Kind::Point;
  if (rule.isConstant() && !rule.value)
    return op->emitOpError("expected a number as the value of ") << condition;
  if (rule.isPolynomial() &&
      (rule.order < 0 || rule.order > HaloRule::kMaxOrder))
    return op->emitOpError("expected a polynomial of order 0 to ")
           << HaloRule::kMaxOrder << ", got one of order " << rule.order
           << " for " << condition;
  if (isPoint && (rule.step < 0 || rule.step > most || rule.first < -most ||
                  rule.first > most || rule.getPoint(1) < 0))
    return op->emitOpError("expected points of the interior, at most ")
           << most << " apart, got " << rule.first << " + " << rule.step
           << " d for " << condition;
  if (rule.isNegated && !isPoint)
    return op->emitOpError("expected the value of a point where the sign "
                           "changes, got ")
           << condition;
  return success();
}

LogicalResult stencil::verifyRules(Operation *op, ArrayAttr conditions) {
  for (size_t axis = 0; 2 * axis < conditions.size(); ++axis) {
    ArrayRef<Attribute> sides = conditions.getValue().slice(2 * axis, 2);
    for (Attribute condition : sides) {
      auto known = dyn_cast<ConditionAttrInterface>(condition);
      if (!known)
        return op->emitOpError("expected a boundary condition, got ")
               << condition;
      if (failed(verifyRule(op, condition, known.getRule())))
        return failure();
    }
    if (getHaloRule(sides[0]).wraps() != getHaloRule(sides[1]).wraps())
      return op->emitOpError(
                 "expected a periodic condition on both sides of axis ")
             << axis << " or on none";
  }
  return success();
}

LogicalResult stencil::verifyConditions(Operation *op, ArrayAttr conditions,
                                        GridType type) {
  if (!isa<FloatType, IntegerType>(type.getElementType()))
    return op->emitOpError(
               "expected an integer or floating-point element type, got ")
           << type.getElementType();
  if (static_cast<int64_t>(conditions.size()) != 2 * type.getRank())
    return op->emitOpError(
               "expected a lower and an upper condition for each of ")
           << type.getRank() << " axes, got " << conditions.size()
           << " conditions";
  if (failed(verifyRules(op, conditions)))
    return failure();
  for (Attribute condition : conditions)
    if (HaloRule rule = getHaloRule(condition);
        rule.isConstant() &&
        failed(verifyValue(op, condition, rule.value, type.getElementType())))
      return failure();
  return success();
}

LogicalResult stencil::verifyInterior(Operation *op, BoundsAttr interior,
                                      int64_t axis, Attribute condition,
                                      int64_t halo) {
  int64_t required = getHaloRule(condition).countInterior(halo);
  int64_t extent = interior.getShape()[axis];
  if (ShapedType::isDynamic(extent) || extent >= required)
    return success();
  return op->emitOpError("expected at least ")
         << required << " interior points on axis " << axis << " for "
         << condition << " with a halo of " << halo << ", got " << extent;
}

LogicalResult stencil::verifyHalo(Operation *op, Value field, BoundsAttr box,
                                  ArrayAttr conditions) {
  auto type = cast<GridType>(field.getType());
  if (failed(verifyFieldHasBounds(op, field)) ||
      failed(verifyBoxIn(op, box, type, "field")) ||
      failed(verifyConditions(op, conditions, type)))
    return failure();
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    for (bool upper : {false, true}) {
      int64_t halo = upper ? type.getBounds().getUb()[axis] - box.getUb()[axis]
                           : box.getLb()[axis] - type.getBounds().getLb()[axis];
      if (isSymbolic(halo))
        return op->emitOpError("expected a halo of constant width on axis ")
               << axis;
      if (failed(verifyInterior(op, box, axis, conditions[2 * axis + upper],
                                halo)))
        return failure();
    }
  return success();
}

LogicalResult BoundaryOp::verify() {
  return verifyHalo(*this, getField(), getBounds(), getConditions());
}
