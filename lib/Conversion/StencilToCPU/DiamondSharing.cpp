//===- DiamondSharing.cpp - How threads share diamonds --------------------===//
//
//   each thread:
//     while number = taken++ < rows * (diamonds of a row)
//       wait until done[left], done[right] >= row    (the two below it)
//       the diamond
//       done[place] = row + 1
//
// Diamonds are taken row by row, so that those below one have been taken
// before: of all that are not done, the first one waits for none.
//
//===----------------------------------------------------------------------===//

#include "DiamondSharing.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/StepCalls.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

Arithmetic DiamondSharing::indices(OpBuilder &builder) const {
  return Arithmetic(builder, loc, builder.getIndexType());
}

Value DiamondSharing::makeNumber(OpBuilder &builder, int64_t number) const {
  return Arithmetic(builder, loc, builder.getI64Type()).constant(number);
}

/// The number at `place`, which is changed by an operand.
Value DiamondSharing::change(OpBuilder &builder, arith::AtomicRMWKind kind,
                             Value operand, Value memory, Value place) const {
  Value before =
      memref::AtomicRMWOp::create(builder, loc, kind, operand, memory, place);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    before);
}

DiamondSharing::DiamondSharing(OpBuilder &builder, Location loc,
                               CPULoopsAttr loops, Value countOfRow)
    : loc(loc), loops(loops), countOfRow(countOfRow) {
  taken = memref::AllocOp::create(builder, loc,
                                  MemRefType::get({1}, builder.getI64Type()),
                                  builder.getI64IntegerAttr(loops.getLine()));
}

void DiamondSharing::end(OpBuilder &builder) {
  memref::DeallocOp::create(builder, loc, taken);
}

LogicalResult
DiamondSharing::share(OpBuilder &builder, Value count,
                      llvm::function_ref<LogicalResult(Value)> emit) {
  Arithmetic arith = indices(builder);
  Value zero = arith.constant(0), one = arith.constant(1);
  memref::StoreOp::create(builder, loc, makeNumber(builder, 0), taken, zero);
  OpBuilder::InsertionGuard guard(builder);
  auto threads = scf::ParallelOp::create(
      builder, loc, ValueRange(zero), ValueRange(countOfRow), ValueRange(one));
  builder.setInsertionPoint(threads.getBody()->getTerminator());
  auto turns = scf::WhileOp::create(builder, loc, zero.getType(), ValueRange());
  builder.createBlock(&turns.getBefore());
  Value number = change(builder, arith::AtomicRMWKind::addi,
                        makeNumber(builder, 1), taken, zero);
  scf::ConditionOp::create(builder, loc, arith.less(number, count), number);
  Block *body =
      builder.createBlock(&turns.getAfter(), {}, zero.getType(), {loc});
  builder.setInsertionPoint(scf::YieldOp::create(builder, loc));
  return emit(body->getArgument(0));
}

LogicalResult
DiamondSharing::emitOneRow(OpBuilder &builder,
                           llvm::function_ref<LogicalResult(Value)> emit) {
  return share(builder, countOfRow, emit);
}

/// Waits until the diamond at a place of the row before `row` is done.
void DiamondSharing::waitFor(OpBuilder &builder, Value place, Value row) {
  OpBuilder::InsertionGuard guard(builder);
  Arithmetic arith = indices(builder);
  auto turns = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  builder.createBlock(&turns.getBefore());
  // A load that sees what was stored before.
  Value rowsDone =
      change(builder, arith::AtomicRMWKind::ori, makeNumber(builder, 0), done,
             arith.mul(place, countPerLine()));
  scf::ConditionOp::create(builder, loc, arith.less(rowsDone, row),
                           ValueRange());
  builder.createBlock(&turns.getAfter());
  // There may be fewer cores than threads.
  callStepFunction(builder, loc, kYieldProcessor, {});
  scf::YieldOp::create(builder, loc);
}

LogicalResult
DiamondSharing::emitRows(OpBuilder &builder, Value rows,
                         llvm::function_ref<LogicalResult(Value, Value)> emit) {
  Arithmetic arith = indices(builder);
  Value zero = arith.constant(0);
  done = memref::AllocOp::create(
      builder, loc,
      MemRefType::get({ShapedType::kDynamic}, builder.getI64Type()),
      arith.mul(countOfRow, countPerLine()),
      builder.getI64IntegerAttr(loops.getLine()));
  auto all =
      scf::ForOp::create(builder, loc, zero, countOfRow, arith.constant(1));
  {
    OpBuilder inner(all.getBody()->getTerminator());
    memref::StoreOp::create(
        inner, loc, makeNumber(inner, 0), done,
        indices(inner).mul(all.getInductionVar(), countPerLine()));
  }
  auto emitNext = [&](Value number) -> LogicalResult {
    Value row = arith.div(number, countOfRow);
    Value place = arith.rem(number, countOfRow);
    // Rows are by turns half a diamond further.
    Value right = arith.add(place, arith.rem(row, arith.constant(2)));
    Value left = arith.add(right, -1);
    waitFor(builder, arith.max(left, zero), row);
    waitFor(builder, arith.min(right, arith.add(countOfRow, -1)), row);
    if (failed(emit(row, place)))
      return failure();
    Value rowsDone = arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(), arith.add(row, 1));
    memref::AtomicRMWOp::create(builder, loc, arith::AtomicRMWKind::assign,
                                rowsDone, done,
                                arith.mul(place, countPerLine()));
    return success();
  };
  LogicalResult result = share(builder, arith.mul(rows, countOfRow), emitNext);
  memref::DeallocOp::create(builder, loc, done);
  return result;
}
