//===- WindowReader.cpp - What a body reads -------------------------------===//

#include "Window.h"
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

Value WindowReader::readAt(OpBuilder &builder, DynAccessOp op,
                           ValueRange coordinates, Value inRange,
                           ValueRange here) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(kernel.body());
  kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  Arithmetic math = kernel.math();
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value outside = arith::XOrIOp::create(builder, loc, inRange, yes);
  auto branch = scf::IfOp::create(builder, loc, outside);
  {
    OpBuilder inner = branch.getThenBodyBuilder();
    Value number = arith::ConstantIntOp::create(
        inner, loc, host.addMessage(describeOutOfRange(op)), 32);
    Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
    memref::AtomicRMWOp::create(inner, loc, arith::AtomicRMWKind::assign,
                                number, errorWord, zero);
  }
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
