//===- StepCount.cpp - The steps of a loop that takes several -------------===//

#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StepBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

Value StepCount::makeConstant(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Value StepCount::toI64(Value value) {
  Type type = builder.getI64Type();
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex())
    return builder.createOrFold<arith::IndexCastOp>(loc, type, value);
  return builder.createOrFold<arith::ExtSIOp>(loc, type, value);
}

/// How often the loop runs, as an i64.
Value StepCount::countSteps() {
  Value lower = toI64(loop.getLowerBound());
  Value upper = toI64(loop.getUpperBound());
  Value step = toI64(loop.getStep());
  // A loop that does not run may have any step.
  Value one = makeConstant(1), zero = makeConstant(0);
  step = fold<arith::MaxSIOp>(step, one);
  Value last = fold<arith::SubIOp>(fold<arith::SubIOp>(upper, lower), one);
  Value count = fold<arith::AddIOp>(fold<arith::DivSIOp>(last, step), one);
  Value runs = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, lower, upper);
  return builder.createOrFold<arith::SelectOp>(loc, runs, count, zero);
}

Value StepCount::countIterations(unsigned steps, unsigned tail, bool isEven) {
  Value count = fold<arith::MaxSIOp>(
      fold<arith::SubIOp>(countSteps(), makeConstant(tail)), makeConstant(0));
  count = fold<arith::DivSIOp>(count, makeConstant(steps));
  if (isEven)
    count = fold<arith::AndIOp>(count, makeConstant(-2));
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(),
                                                  count);
}

Value StepCount::getNumber(Value iterations, unsigned steps, unsigned further) {
  Value taken = fold<arith::AddIOp>(
      fold<arith::MulIOp>(toI64(iterations), makeConstant(steps)),
      makeConstant(further));
  Value number =
      fold<arith::AddIOp>(toI64(loop.getLowerBound()),
                          fold<arith::MulIOp>(taken, toI64(loop.getStep())));
  Type type = loop.getLowerBound().getType();
  if (type == number.getType())
    return number;
  if (type.isIndex())
    return builder.createOrFold<arith::IndexCastOp>(loc, type, number);
  return builder.createOrFold<arith::TruncIOp>(loc, type, number);
}

void stencil::requireExtents(scf::ForOp loop, BoundsAttr interior,
                             ArrayRef<int64_t> slabs) {
  auto function = loop->getParentOfType<FunctionOpInterface>();
  SmallVector<int64_t> extents;
  if (auto recorded =
          function->getAttrOfType<DenseI64ArrayAttr>(kMinimalExtentsAttr))
    extents.assign(recorded.asArrayRef().begin(), recorded.asArrayRef().end());
  bool isSymbolicLoop = false;
  extents.resize(std::max<size_t>(extents.size(), interior.getRank()), 0);
  for (auto [axis, lb, ub] :
       llvm::enumerate(interior.getLb(), interior.getUb())) {
    if (isSymbolic(lb) || !isSymbolic(ub))
      continue;
    isSymbolicLoop = true;
    extents[axis] =
        std::max(extents[axis], slabs[axis] + 1 + lb - symbolicOffset(ub));
  }
  if (isSymbolicLoop)
    function->setAttr(kMinimalExtentsAttr,
                      DenseI64ArrayAttr::get(loop.getContext(), extents));
}
