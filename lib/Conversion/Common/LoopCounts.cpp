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
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        step = loop.getStep();
  Type type = step.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  Value zero = constant(APInt::getZero(width)), one = constant(APInt(width, 1));
  auto isLess = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                      : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(b, isLess, lower, upper);
  // The distance is a number without a sign, whatever the bounds are.
  Value distance = arith::SubIOp::create(b, upper, lower);
  Value last = arith::SubIOp::create(b, distance, one);
  Value whole = arith::DivUIOp::create(b, last, step);
  // More iterations than this end at no time.
  Value most = constant(APInt::getSignedMaxValue(width) - 1);
  Value bounded = arith::MinUIOp::create(b, whole, most);
  Value count = arith::AddIOp::create(b, bounded, one);
  count = arith::SelectOp::create(b, runs, count, zero);

  Value number = loop.getInductionVar();
  if (!number.use_empty()) {
    b.setInsertionPointToStart(loop.getBody());
    Value further = arith::MulIOp::create(b, number, step);
    Value value = arith::AddIOp::create(b, lower, further);
    number.replaceAllUsesExcept(value, further.getDefiningOp());
  }
  loop.setLowerBound(zero);
  loop.setUpperBound(count);
  loop.setStep(one);
  loop.setUnsignedCmp(false);
}
