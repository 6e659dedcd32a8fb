//===- LoopCounts.cpp - Loops that end at the largest number --------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

bool stencil::mayWrapAround(scf::ForOp loop) {
  APInt step, upper;
  bool isKnown = matchPattern(loop.getStep(), m_ConstantInt(&step));
  if (isKnown && step.isOne())
    return false;
  if (!isKnown || !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    return true;
  // The last number is below the bound: at most `upper - 1 + step` is computed.
  bool overflows = false;
  APInt most = step - 1;
  if (loop.getUnsignedCmp())
    (void)upper.uadd_ov(most, overflows);
  else
    (void)upper.sadd_ov(most, overflows);
  return overflows;
}

void stencil::countIterations(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        step = loop.getStep();
  Type type = step.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  Value zero = constant(APInt::getZero(width)), one = constant(APInt(width, 1));
  auto isLess = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                      : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(builder, loc, isLess, lower, upper);
  // The distance is a number without a sign, whatever the bounds are.
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value last = arith::SubIOp::create(builder, loc, distance, one);
  Value whole = arith::DivUIOp::create(builder, loc, last, step);
  // More iterations than this end at no time.
  Value most = constant(APInt::getSignedMaxValue(width) - 1);
  Value bounded = arith::MinUIOp::create(builder, loc, whole, most);
  Value count = arith::AddIOp::create(builder, loc, bounded, one);
  count = arith::SelectOp::create(builder, loc, runs, count, zero);

  Value number = loop.getInductionVar();
  if (!number.use_empty()) {
    builder.setInsertionPointToStart(loop.getBody());
    Value further = arith::MulIOp::create(builder, loc, number, step);
    Value value = arith::AddIOp::create(builder, loc, lower, further);
    number.replaceAllUsesExcept(value, further.getDefiningOp());
  }
  loop.setLowerBound(zero);
  loop.setUpperBound(count);
  loop.setStep(one);
  loop.setUnsignedCmp(false);
}
