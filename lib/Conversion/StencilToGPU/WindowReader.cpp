//===- WindowReader.cpp - What a body reads -------------------------------===//

#include "StencilDialect/Conversion/Describe.h"
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
void WindowReader::note(OpBuilder &builder, Location loc, Value condition,
                        StringRef message) {
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder inner = branch.getThenBodyBuilder();
  Value number =
      arith::ConstantIntOp::create(inner, loc, kernels.addMessage(message), 32);
  Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
  memref::AtomicRMWOp::create(inner, loc, arith::AtomicRMWKind::assign, number,
                              errorWord, zero);
}

Value WindowReader::guardDivisor(OpBuilder &builder, Operation *op,
                                 Value dividend, Value divisor) {
  Location loc = op->getLoc();
  Type type = divisor.getType();
  unsigned width = getBitWidth(type);
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  auto equals = [&](Value value, const APInt &number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constant(number));
  };
  bool isPower = isa<math::IPowIOp>(op);
  Value fails = isPower ? isInverseOfZero(builder, loc, dividend, divisor)
                        : equals(divisor, APInt::getZero(width));
  if (!isPower &&
      !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) {
    Value overflows = arith::AndIOp::create(
        builder, loc, equals(divisor, APInt::getAllOnes(width)),
        equals(dividend, APInt::getSignedMinValue(width)));
    fails = arith::OrIOp::create(builder, loc, fails, overflows);
  }
  note(builder, loc, fails,
       describe(loc, "integer division by zero, or of the smallest number by "
                     "-1"));
  return arith::SelectOp::create(builder, loc, fails, constant(APInt(width, 1)),
                                 divisor);
}

Value WindowReader::guardStep(OpBuilder &builder, scf::ForOp loop, Value step) {
  Location loc = loop.getLoc();
  Value holds = isStepPositive(builder, loop, step);
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  note(builder, loc, arith::XOrIOp::create(builder, loc, holds, yes),
       describeBadStep(loop));
  Value one = arith::ConstantOp::create(builder, loc,
                                        builder.getOneAttr(step.getType()));
  return arith::SelectOp::create(builder, loc, holds, step, one);
}

Value WindowReader::readAt(OpBuilder &builder, DynAccessOp op,
                           ValueRange coordinates, Value inRange,
                           ValueRange here) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(kernel.body());
  kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  Arithmetic math = kernel.math();
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value outside = arith::XOrIOp::create(builder, loc, inRange, yes);
  note(builder, loc, outside, describeOutOfRange(op));
  SmallVector<Value> safe;
  for (auto [axis, coordinate] : llvm::enumerate(coordinates)) {
    Value middle = here[axis];
    // The declared range may not contain the point itself.
    int64_t lb = op.getLb().getValues()[axis];
    int64_t ub = op.getUb().getValues()[axis];
    int64_t nearest = std::clamp<int64_t>(0, lb, ub);
    if (nearest != 0)
      middle = arith::AddIOp::create(
          builder, loc, middle,
          arith::ConstantIndexOp::create(builder, loc, nearest));
    safe.push_back(math.fromIndex(
        arith::SelectOp::create(builder, loc, inRange, coordinate, middle)));
  }
  return window.load(cast<BlockArgument>(op.getTemp()).getArgNumber(), safe);
}

Value WindowReader::getTable(OpBuilder &builder, Location loc,
                             DenseElementsAttr values) {
  return kernels.getTable(builder, loc, values);
}

Value WindowReader::readElement(OpBuilder &builder, MatVecOp op,
                                Value coordinate) {
  OpBuilder::InsertionGuard guard(kernel.body());
  kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  Value position = kernel.math().fromIndex(coordinate);
  return window.load(cast<BlockArgument>(op.getTemp()).getArgNumber(),
                     position);
}
