//===- WindowReader.cpp - What a body reads -------------------------------===//

#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Elements.h"
#include "Window.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

Value WindowReader::read(OpBuilder &builder, AccessOp op, ValueRange) {
  SmallVector<int64_t> offset;
  for (auto [axis, step] :
       llvm::zip_equal(op.getAxes(), op.getOffset().getValues()))
    offset.push_back(step + position[axis]);
  OpBuilder::InsertionGuard guard(kernel.body());
  kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  return window.get(cast<BlockArgument>(op.getTemp()).getArgNumber(), offset);
}

void WindowReader::openBranch(OpBuilder &builder, Block &branch,
                              PointList points) {
  OpBuilder::InsertionGuard guard(kernel.body());
  kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  window.openBranch(branch, points);
}

/// Stores the number of the message to the error word where the condition
/// holds.
void WindowReader::note(ImplicitLocOpBuilder &b, Value condition,
                        StringRef message) {
  auto branch = scf::IfOp::create(b, condition);
  ImplicitLocOpBuilder inner(b.getLoc(), branch.getThenBodyBuilder());
  Value number =
      arith::ConstantIntOp::create(inner, kernels.addMessage(message), 32);
  Value zero = arith::ConstantIndexOp::create(inner, 0);
  memref::AtomicRMWOp::create(inner, arith::AtomicRMWKind::assign, number,
                              errorWord, zero);
}

Value WindowReader::guardDivisor(OpBuilder &builder, Operation *op,
                                 Value dividend, Value divisor) {
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  Type type = divisor.getType();
  unsigned width = getBitWidth(type);
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  auto equals = [&](Value value, const APInt &number) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value,
                                 constant(number));
  };
  bool isPower = isa<math::IPowIOp>(op);
  Value fails = isPower ? isInverseOfZero(b, b.getLoc(), dividend, divisor)
                        : equals(divisor, APInt::getZero(width));
  if (!isPower &&
      !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) {
    Value overflows = arith::AndIOp::create(
        b, equals(divisor, APInt::getAllOnes(width)),
        equals(dividend, APInt::getSignedMinValue(width)));
    fails = arith::OrIOp::create(b, fails, overflows);
  }
  note(b, fails,
       describe(b.getLoc(),
                "integer division by zero, or of the smallest number by "
                "-1"));
  return arith::SelectOp::create(b, fails, constant(APInt(width, 1)), divisor);
}

Value WindowReader::guardStep(OpBuilder &builder, scf::ForOp loop, Value step) {
  ImplicitLocOpBuilder b(loop.getLoc(), builder);
  Value holds = isStepPositive(b, loop, step);
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  note(b, arith::XOrIOp::create(b, holds, yes), describeBadStep(loop));
  Value one = arith::ConstantOp::create(b, b.getOneAttr(step.getType()));
  return arith::SelectOp::create(b, holds, step, one);
}

Value WindowReader::readAt(OpBuilder &builder, DynAccessOp op,
                           ValueRange coordinates, Value inRange,
                           ValueRange here) {
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  OpBuilder::InsertionGuard guard(kernel.body());
  kernel.body().restoreInsertionPoint(b.saveInsertionPoint());
  const Arithmetic &math = kernel.math();
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  Value outside = arith::XOrIOp::create(b, inRange, yes);
  note(b, outside, describeOutOfRange(op));
  SmallVector<Value> safe;
  for (auto [axis, coordinate] : llvm::enumerate(coordinates)) {
    Value middle = here[axis];
    // The declared range may not contain the point itself.
    int64_t lb = op.getLb().getValues()[axis];
    int64_t ub = op.getUb().getValues()[axis];
    int64_t nearest = std::clamp<int64_t>(0, lb, ub);
    if (nearest != 0)
      middle = arith::AddIOp::create(
          b, middle, arith::ConstantIndexOp::create(b, nearest));
    safe.push_back(math.fromIndex(
        arith::SelectOp::create(b, inRange, coordinate, middle)));
  }
  return window.load(cast<BlockArgument>(op.getTemp()).getArgNumber(), safe);
}

Value WindowReader::readElement(OpBuilder &builder, MatVecOp op,
                                Value coordinate) {
  OpBuilder::InsertionGuard guard(kernel.body());
  kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  Value position = kernel.math().fromIndex(coordinate);
  return window.load(cast<BlockArgument>(op.getTemp()).getArgNumber(),
                     position);
}
