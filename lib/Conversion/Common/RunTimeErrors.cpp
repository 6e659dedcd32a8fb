//===- RunTimeErrors.cpp - What only the run can find ---------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/Describe.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
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

Value stencil::isStepPositive(OpBuilder &builder, scf::ForOp loop, Value step) {
  Location loc = loop.getLoc();
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(step.getType()));
  auto isMore = loop.getUnsignedCmp() ? arith::CmpIPredicate::ugt
                                      : arith::CmpIPredicate::sgt;
  return arith::CmpIOp::create(builder, loc, isMore, step, zero);
}

Value InputReader::guardStep(OpBuilder &builder, scf::ForOp loop, Value step) {
  cf::AssertOp::create(builder, loop.getLoc(),
                       isStepPositive(builder, loop, step),
                       describeBadStep(loop));
  return step;
}
