//===- Math.cpp - Functions of the math dialect ---------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "Writer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// The function of C's for double; the one for float has an `f` more.
static StringRef getFunction(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().stripDialect())
      .Case("absf", "fabs")
      .Case("acos", "acos")
      .Case("acosh", "acosh")
      .Case("asin", "asin")
      .Case("asinh", "asinh")
      .Case("atan", "atan")
      .Case("atan2", "atan2")
      .Case("atanh", "atanh")
      .Case("cbrt", "cbrt")
      .Case("ceil", "ceil")
      .Case("copysign", "copysign")
      .Case("cos", "cos")
      .Case("cosh", "cosh")
      .Case("erf", "erf")
      .Case("erfc", "erfc")
      .Case("exp", "exp")
      .Case("exp2", "exp2")
      .Case("expm1", "expm1")
      .Case("floor", "floor")
      .Case("fma", "fma")
      .Case("log", "log")
      .Case("log10", "log10")
      .Case("log1p", "log1p")
      .Case("log2", "log2")
      .Case("powf", "pow")
      .Case("round", "round")
      .Case("roundeven", "rint")
      .Case("rsqrt", "rsqrt")
      .Case("sin", "sin")
      .Case("sinh", "sinh")
      .Case("sqrt", "sqrt")
      .Case("tan", "tan")
      .Case("tanh", "tanh")
      .Case("trunc", "trunc")
      .Default({});
}

static FailureOr<Expression> makeFloatFunction(Writer &writer, Operation *op,
                                               ArrayRef<Expression> operands,
                                               Type type) {
  std::string name = getFunction(op).str();
  if (!writer.device && name == "rsqrt")
    return emitNoForm(op, "on the host");
  if (type.isF64())
    return makeCall(name, operands);
  if (type.isF32())
    return makeCall(name + "f", operands);
  // 16-bit types: rounded once for fma, else by way of float.
  if (name == "fma" && writer.device)
    return makeCall("__hfma", operands);
  SmallVector<Expression> widened;
  for (const Expression &operand : operands)
    widened.push_back(makeCast("float", operand));
  return makeCall(writer.getType(type), {makeCall(name + "f", widened)});
}

/// isnan and so on: the operand is not of the type of the result.
static Expression makeClassification(Operation *op, Expression operand) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!type.isF64() && !type.isF32())
    operand = makeCast("float", operand);
  return makeCall(("std::" + op->getName().stripDialect()).str(), {operand});
}

/// Numbers of bits; the width of the type is 32 or 64.
static FailureOr<Expression> makeBitCount(Writer &writer, Operation *op,
                                          const Expression &operand,
                                          Type type) {
  bool wide = type.isIndex() || type.isInteger(64);
  if (!writer.device || (!wide && !type.isInteger(32)))
    return emitNoForm(op, "on type " + debugString(type) +
                              (writer.device ? "" : " on the host"));
  Expression exact = makeExact(operand, type, writer.prologue.language);
  std::string suffix = wide ? "ll" : "";
  Expression result;
  if (isa<math::CtPopOp>(op)) {
    result = makeCall("__popc" + suffix, {exact});
  } else if (isa<math::CountLeadingZerosOp>(op)) {
    result = makeCall("__clz" + suffix, {exact});
  } else {
    // __ffs counts from 1, and gives 0 if there is no bit.
    Expression value = writer.makeStable(exact, type);
    Expression first =
        makeBinary("-", Precedence::Add, makeCall("__ffs" + suffix, {value}),
                   makeInteger(1));
    result = makeConditional(
        makeBinary("==", Precedence::Equality, value, makeInteger(0)),
        makeInteger(wide ? 64 : 32), first);
  }
  if (wide)
    result.form = Form::Narrow;
  return result;
}

FailureOr<Expression> gpusource::makeMath(Writer &writer, Operation *op,
                                          ArrayRef<Expression> operands,
                                          Type type) {
  if (!getFunction(op).empty())
    return makeFloatFunction(writer, op, operands, type);
  if (isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(op))
    return makeClassification(op, operands[0]);
  if (isa<math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(
          op))
    return makeBitCount(writer, op, operands[0], type);
  if (isa<math::FPowIOp>(op)) {
    Type integer = getElementTypeOrSelf(op->getOperand(1).getType());
    Expression exponent =
        makeExact(operands[1], integer, writer.prologue.language);
    if (type.isF64())
      return makeCall("pow", {operands[0], makeCast("double", exponent)});
    if (type.isF32())
      return makeCall("powf", {operands[0], makeCast("float", exponent)});
    return makeCall(writer.getType(type),
                    {makeCall("powf", {makeCast("float", operands[0]),
                                       makeCast("float", exponent)})});
  }
  if (isa<math::AbsIOp>(op)) {
    Expression value = writer.makeStable(
        makeExact(operands[0], type, writer.prologue.language), type);
    // The smallest number stays itself: it must not overflow on the way.
    Expression negative = makeCast(writer.getType(type),
                                   makeUnary("-", makeUnsigned(value, type)));
    return makeConditional(
        makeBinary("<", Precedence::Relational, value, makeInteger(0)),
        negative, value);
  }
  return emitNoForm(op);
}
