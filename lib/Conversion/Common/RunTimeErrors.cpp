//===- RunTimeErrors.cpp - What only the run can find ---------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

std::string stencil::describeOutOfRange(DynAccessOp op) {
  return describe(op.getLoc(), "dynamic access outside of its declared range");
}

std::string stencil::describeBadStep(scf::ForOp loop) {
  return describe(loop.getLoc(), "expected a positive step");
}

bool stencil::mayLackQuotient(Operation *op) {
  if (auto power = dyn_cast<math::IPowIOp>(op)) {
    APInt base, exponent;
    bool isDefined = (matchPattern(power.getLhs(), m_ConstantInt(&base)) &&
                      !base.isZero()) ||
                     (matchPattern(power.getRhs(), m_ConstantInt(&exponent)) &&
                      exponent.isNonNegative());
    return !isDefined;
  }
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
           arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                      arith::FloorDivSIOp>(op);
  APInt divisor;
  return !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
         divisor.isZero() || (isSigned && divisor.isAllOnes());
}

bool stencil::mayLackStep(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  APInt step;
  if (!loop || !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return loop != nullptr;
  return step.isZero() || (step.isNegative() && !loop.getUnsignedCmp());
}

bool stencil::mayFailAtRunTime(Operation *op) {
  return isa<DynAccessOp>(op) || mayLackQuotient(op) || mayLackStep(op);
}

bool stencil::mayBodyFail(ApplyOp apply) {
  return anyWithin(apply.getRegion(), mayFailAtRunTime);
}

Value stencil::isStepPositive(OpBuilder &builder, scf::ForOp loop, Value step) {
  Location loc = loop.getLoc();
  Value zero = arith::getZeroConstant(builder, loc, step.getType());
  auto isMore = loop.getUnsignedCmp() ? arith::CmpIPredicate::ugt
                                      : arith::CmpIPredicate::sgt;
  return arith::CmpIOp::create(builder, loc, isMore, step, zero);
}

Value stencil::isInverseOfZero(OpBuilder &builder, Location loc, Value base,
                               Value exponent) {
  Value zero = arith::getZeroConstant(builder, loc, base.getType());
  Value isZero =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, base, zero);
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, exponent, zero);
  return arith::AndIOp::create(builder, loc, isZero, isNegative);
}

void stencil::assertPower(OpBuilder &builder, Operation *op, Value base,
                          Value exponent) {
  Location loc = op->getLoc();
  Value fails = isInverseOfZero(builder, loc, base, exponent);
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value holds = arith::XOrIOp::create(builder, loc, fails, yes);
  cf::AssertOp::create(builder, loc, holds,
                       describe(loc, "integer division by zero"));
}

Value InputReader::guardDivisor(OpBuilder &builder, Operation *op,
                                Value dividend, Value divisor) {
  if (isa<math::IPowIOp>(op))
    assertPower(builder, op, dividend, divisor);
  return divisor;
}

Value InputReader::guardStep(OpBuilder &builder, scf::ForOp loop, Value step) {
  cf::AssertOp::create(builder, loop.getLoc(),
                       isStepPositive(builder, loop, step),
                       describeBadStep(loop));
  return step;
}
