//===- Errors.cpp - What is known of errors before the run ----------------===//
//
// docs/verification.md has the rules in words.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// What is known before the run
//===----------------------------------------------------------------------===//

Rounding stencil::interp::getRounding(Type type,
                                      const ErrorAnalysis &analysis) {
  auto number = dyn_cast<FloatType>(type);
  if (!number)
    return {};
  const llvm::fltSemantics &semantics = number.getFloatSemantics();
  int precision = APFloat::semanticsPrecision(semantics);
  int exponent = APFloat::semanticsMinExponent(semantics);
  return {std::ldexp(1.0, 1 - precision),
          std::ldexp(1.0, analysis.flushesDenormals
                              ? exponent
                              : exponent + 1 - precision)};
}

static ErrorRule findRule(Operation *op) {
  return llvm::StringSwitch<ErrorRule>(op->getName().getStringRef())
      .Cases({"arith.addf", "arith.subf"}, ErrorRule::Add)
      .Case("arith.mulf", ErrorRule::Multiply)
      .Case("arith.divf", ErrorRule::Divide)
      .Case("arith.remf", ErrorRule::Remainder)
      .Cases({"arith.negf", "math.absf", "arith.extf", "arith.extsi",
              "arith.extui", "arith.trunci", "arith.index_cast",
              "arith.index_castui"},
             ErrorRule::Pass)
      .Case("arith.truncf", ErrorRule::Narrow)
      .Cases({"arith.maximumf", "arith.minimumf", "arith.maxnumf",
              "arith.minnumf", "arith.maxsi", "arith.minsi", "arith.maxui",
              "arith.minui"},
             ErrorRule::Extreme)
      .Case("arith.cmpf", ErrorRule::CompareFloats)
      .Case("arith.cmpi", ErrorRule::CompareIntegers)
      .Case("arith.select", ErrorRule::Select)
      .Case("arith.andi", ErrorRule::And)
      .Case("arith.ori", ErrorRule::Or)
      .Cases({"arith.addi", "arith.subi"}, ErrorRule::IntegerSum)
      .Case("arith.muli", ErrorRule::IntegerProduct)
      .Cases({"arith.sitofp", "arith.uitofp"}, ErrorRule::FromInteger)
      .Cases({"arith.fptosi", "arith.fptoui"}, ErrorRule::ToInteger)
      .Case("math.fma", ErrorRule::Fma)
      .Case("math.sqrt", ErrorRule::Root)
      .Cases({"math.ceil", "math.floor", "math.round", "math.roundeven",
              "math.trunc"},
             ErrorRule::Step)
      .Case("math.copysign", ErrorRule::Binary)
      .Case("math.powf", ErrorRule::Binary)
      .Case("math.atan2", ErrorRule::Angle)
      .Case("math.fpowi", ErrorRule::Power)
      .Cases({"math.sin", "math.cos", "math.sincos"}, ErrorRule::Wave)
      .Case("math.tan", ErrorRule::Tangent)
      .Default(ErrorRule::Function);
}

/// A function that is rounded right by nobody.
static bool isApproximate(ErrorRule rule, StringRef name) {
  switch (rule) {
  case ErrorRule::Function:
  case ErrorRule::Wave:
  case ErrorRule::Tangent:
  case ErrorRule::Angle:
  case ErrorRule::Power:
    return true;
  case ErrorRule::Binary:
    return name != "math.copysign";
  default:
    return false;
  }
}

PropagateError::PropagateError(Operation *op, unsigned resultIndex,
                               ErrorAnalysis &analysis, Kind kind,
                               unsigned result, ArrayRef<Kind> operandKinds,
                               ArrayRef<unsigned> operands)
    : analysis(analysis), rule(findRule(op)), kind(kind), result(result),
      numOperands(operands.size()) {
  llvm::copy(operandKinds, kinds.begin());
  llvm::copy(operands, args.begin());
  StringRef name = op->getName().getStringRef();
  isSubtraction = name == "arith.subf";
  isNegation = name == "arith.negf";
  isMagnitude = name == "math.absf";
  bool isTest = !isFloat(kind) && name.starts_with("math.is");
  bool isInteger = !isFloat(kind) && !isFloat(kinds[0]);
  if (rule == ErrorRule::Function && (isTest || isInteger || !isFloat(kind)))
    rule = ErrorRule::Discrete;
  if (name == "arith.bitcast" || name == "arith.addui_extended")
    rule = ErrorRule::Discrete;
  if (rule == ErrorRule::Function || rule == ErrorRule::Root ||
      rule == ErrorRule::Step || rule == ErrorRule::Binary ||
      rule == ErrorRule::Angle || rule == ErrorRule::Tangent)
    function = getMathKernel(name, Kind::F64);
  if (rule == ErrorRule::Power)
    function = getFPowIKernel(Kind::F64, kinds[1]);
  // Not known how it goes on from its operands: by no number.
  if (rule == ErrorRule::Function && (!function || numOperands != 1))
    rule = ErrorRule::Discrete;
  setUp(op, op->getResult(resultIndex).getType());
}

PropagateError::PropagateError(Operation *op, ErrorRule rule,
                               ErrorAnalysis &analysis, Kind kind,
                               unsigned result, ArrayRef<unsigned> operands,
                               bool isSubtraction)
    : analysis(analysis), rule(rule), kind(kind), result(result),
      numOperands(operands.size()), isSubtraction(isSubtraction) {
  kinds.fill(kind);
  llvm::copy(operands, args.begin());
  setUp(op, op->getResult(0).getType());
}

/// The sum may be a product of matrices, with factors of 11 bits: weights, and
/// what is read, also where that is added without a weight.
void PropagateError::roundFactors(Operation *op) {
  constexpr double kTF32 = 0x1p-10;
  if (rule == ErrorRule::Multiply || rule == ErrorRule::Divide ||
      rule == ErrorRule::Fma)
    productRounding = kTF32;
  if (rule != ErrorRule::Add && rule != ErrorRule::Fma)
    return;
  for (unsigned operand = rule == ErrorRule::Fma ? 2 : 0;
       operand < std::min(numOperands, op->getNumOperands()); ++operand) {
    Value value = op->getOperand(operand);
    while (auto negation = value.getDefiningOp<arith::NegFOp>())
      value = negation.getOperand();
    if (value.getDefiningOp<AccessOp>())
      operandRounding[operand] = kTF32;
  }
}

void PropagateError::setUp(Operation *op, Type type) {
  rounding = getRounding(type, analysis);
  id = mixSalt(analysis.instructions++);
  if (!isFloat(kind))
    return;
  arith::FastMathFlags flags = getFastMathFlags(op);
  auto has = [&](arith::FastMathFlags flag) {
    return arith::bitEnumContainsAll(flags, flag);
  };
  reassociates = mayReassociate(op, analysis.math);
  if (analysis.math == MathMode::TF32 && type.isF32())
    roundFactors(op);
  bool contracts =
      analysis.math != MathMode::Strict || has(arith::FastMathFlags::contract);
  switch (rule) {
  case ErrorRule::Multiply:
    // Rounded, or not, on its way into a sum.
    isSource = contracts || reassociates;
    break;
  case ErrorRule::Divide:
    isSource = reassociates || has(arith::FastMathFlags::arcp);
    break;
  case ErrorRule::Add:
  case ErrorRule::Fma:
    isSource = reassociates;
    break;
  default:
    reassociates = false;
    isSource = isApproximate(rule, op->getName().getStringRef());
  }
  // One side of two rounds, by at most half a unit. A function may be off by
  // more.
  if (analysis.precision == Precision::Extended &&
      !isApproximate(rule, op->getName().getStringRef()))
    rounding.epsilon /= 2;
  bool isExact = rule == ErrorRule::Pass || rule == ErrorRule::Extreme ||
                 rule == ErrorRule::Select || rule == ErrorRule::Step ||
                 rule == ErrorRule::Remainder;
  isSource |= analysis.roundsAlways() && !isExact;
}
