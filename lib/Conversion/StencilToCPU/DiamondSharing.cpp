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

DiamondSharing::DiamondSharing(OpBuilder &builder, Location loc,
                               CPULoopsAttr loops, Value countOfRow,
                               Value sharers)
    : loc(loc), loops(loops), countOfRow(countOfRow), sharers(sharers),
      taken{loc, loops, {}}, done{loc, loops, {}} {
  taken.memory = memref::AllocOp::create(
      builder, loc, MemRefType::get({1}, builder.getI64Type()),
      builder.getI64IntegerAttr(loops.getLine()));
}

void DiamondSharing::end(OpBuilder &builder) {
  memref::DeallocOp::create(builder, loc, taken.memory);
}

LogicalResult
DiamondSharing::share(OpBuilder &builder, Value count,
                      llvm::function_ref<LogicalResult(Value)> emit) {
  Arithmetic arith = indices(builder);
  Value zero = arith.constant(0), one = arith.constant(1);
  memref::StoreOp::create(builder, loc, makeNumber(builder, 0), taken.memory,
                          zero);
  OpBuilder::InsertionGuard guard(builder);
  auto threads = scf::ParallelOp::create(builder, loc, ValueRange(zero),
                                         ValueRange(sharers), ValueRange(one));
  sharer = threads.getInductionVars().front();
  builder.setInsertionPoint(threads.getBody()->getTerminator());
  return emit(taken.emitTurns(builder, zero, count));
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
  Value rowsDone = done.change(builder, arith::AtomicRMWKind::ori,
                               makeNumber(builder, 0), place);
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
  done.memory = memref::AllocOp::create(
      builder, loc,
      MemRefType::get({ShapedType::kDynamic}, builder.getI64Type()),
      arith.mul(countOfRow, ThreadCounters::countPerLine(loops)),
      builder.getI64IntegerAttr(loops.getLine()));
  done.clear(builder, countOfRow);
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
    done.change(builder, arith::AtomicRMWKind::assign, rowsDone, place);
    return success();
  };
  LogicalResult result = share(builder, arith.mul(rows, countOfRow), emitNext);
  memref::DeallocOp::create(builder, loc, done.memory);
  return result;
}
