//===- Conversions.cpp - From one scalar type to another ------------------===//

#include "Writer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

static bool isWide(Type type) { return type.isIndex() || type.isInteger(64); }

/// A floating-point conversion; 16-bit types convert from and to float.
static Expression convertFloat(Writer &writer, const Expression &operand,
                               Type from, Type to) {
  std::string ctype = writer.getType(to);
  if (isHalf(from) && !to.isF32())
    return makeCast(ctype, makeCast("float", operand));
  if (isHalf(to))
    return makeCall(ctype, {operand});
  return makeCast(ctype, operand);
}

static Expression convertToFloat(Writer &writer, const Expression &operand,
                                 Type to) {
  std::string ctype = writer.getType(to);
  return isHalf(to) ? makeCall(ctype, {operand}) : makeCast(ctype, operand);
}

/// The number as a signed integer of a type that holds it.
static Expression extendSigned(Writer &writer, const Expression &operand,
                               Type from, Type to) {
  // As a signed number, true is -1.
  if (from.isInteger(1))
    return makeCast(writer.getType(to), makeUnary("-", operand));
  Expression result = makeExact(operand, from, writer.prologue.language);
  if (!isWide(to) || result.form == Form::Literal)
    return result;
  if (isWide(from))
    return operand;
  result.form = Form::Narrow;
  return result;
}

static Expression extendUnsigned(Writer &writer, const Expression &operand,
                                 Type from, Type to) {
  if (from.isInteger(1)) {
    Expression result =
        makeCast(isWide(to) ? "int" : writer.getType(to), operand);
    if (isWide(to))
      result.form = Form::Narrow;
    return result;
  }
  if (isWide(from))
    return operand;
  return makeCast(writer.getType(to), makeUnsigned(operand, from));
}

static Expression truncate(Writer &writer, const Expression &operand, Type from,
                           Type to) {
  if (to.isInteger(1))
    return makeBinary(
        "!=", Precedence::Equality,
        makeBinary("&", Precedence::BitAnd,
                   makeExact(operand, from, writer.prologue.language),
                   makeInteger(1)),
        makeInteger(0));
  if (isWide(to))
    return operand;
  if (operand.form == Form::Narrow && to.isInteger(32)) {
    Expression result = operand;
    result.form = Form::Exact;
    return result;
  }
  if (operand.form == Form::Literal && to.isInteger(32) &&
      !StringRef(operand.text).ends_with("LL"))
    return operand;
  return makeCast(writer.getType(to),
                  makeExact(operand, from, writer.prologue.language));
}

/// Functions that keep the bits; devices only.
static FailureOr<Expression> makeBitcast(Writer &writer, arith::BitcastOp op,
                                         const Expression &operand, Type from,
                                         Type to) {
  if (from == to)
    return operand;
  if (!writer.device)
    return emitNoForm(op, "on the host");
  StringRef function;
  if (from.isF64() && to.isInteger(64))
    function = "__double_as_longlong";
  else if (from.isInteger(64) && to.isF64())
    function = "__longlong_as_double";
  else if (from.isF32() && to.isInteger(32))
    function = "__float_as_int";
  else if (from.isInteger(32) && to.isF32())
    function = "__int_as_float";
  else if (from.isF16() && to.isInteger(16))
    function = "__half_as_short";
  else if (from.isInteger(16) && to.isF16())
    function = "__short_as_half";
  else if (from.isBF16() && to.isInteger(16))
    function = "__bfloat16_as_short";
  else if (from.isInteger(16) && to.isBF16())
    function = "__short_as_bfloat16";
  else
    return emitNoForm(op,
                      "from " + debugString(from) + " to " + debugString(to));
  return makeCall(function,
                  {makeExact(operand, from, writer.prologue.language)});
}

FailureOr<Expression> gpusource::makeConversion(Writer &writer, Operation *op,
                                                ArrayRef<Expression> operands,
                                                Type to) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  const Expression &operand = operands.front();
  GPULanguage language = writer.prologue.language;
  return llvm::TypeSwitch<Operation *, FailureOr<Expression>>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](Operation *) { return convertFloat(writer, operand, from, to); })
      .Case([&](arith::SIToFPOp) {
        Expression number = operand;
        if (from.isInteger(1))
          number = makeUnary("-", operand);
        else if (operand.form != Form::Narrow)
          number = makeExact(operand, from, language);
        return convertToFloat(writer, number, to);
      })
      .Case([&](arith::UIToFPOp) {
        Expression number = operand;
        if (writer.context.ranges.getBits(op->getOperand(0)))
          number = makeExact(operand, from, language);
        else if (!from.isInteger(1))
          number = makeUnsigned(operand, from);
        return convertToFloat(writer, number, to);
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>(
          [&](Operation *) -> FailureOr<Expression> {
            if (to.isInteger(1))
              return emitNoForm(op, "to type i1");
            Expression number =
                isHalf(from) ? makeCast("float", operand) : operand;
            if (isa<arith::FPToSIOp>(op))
              return makeCast(writer.getType(to), number);
            Expression result = makeCast(getUnsignedCType(to), number);
            result.form = Form::Unsigned;
            return result;
          })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [&](Operation *) -> FailureOr<Expression> {
            if (getStorageBits(from) > getStorageBits(to) || to.isInteger(1))
              return truncate(writer, operand, from, to);
            return extendSigned(writer, operand, from, to);
          })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [&](Operation *) -> FailureOr<Expression> {
            if (getStorageBits(from) > getStorageBits(to) || to.isInteger(1))
              return truncate(writer, operand, from, to);
            if (writer.context.ranges.getBits(op->getOperand(0)))
              return extendSigned(writer, operand, from, to);
            return extendUnsigned(writer, operand, from, to);
          })
      .Case(
          [&](arith::TruncIOp) { return truncate(writer, operand, from, to); })
      .Case([&](arith::BitcastOp bitcast) {
        return makeBitcast(writer, bitcast, operand, from, to);
      })
      .Default([](Operation *op) -> FailureOr<Expression> {
        return emitNoForm(op);
      });
}
