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

#include "DiamondStep.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

DiamondSharing::DiamondSharing(LoopBuilder &b, CPULoopsAttr loops,
                               Value countOfRow, Value sharers)
    : b(b), math(b.math), loops(loops), countOfRow(countOfRow),
      sharers(sharers), taken{b, loops, {}}, done{b, loops, {}} {
  taken.memory =
      memref::AllocOp::create(b, MemRefType::get({1}, b.getI64Type()),
                              b.getI64IntegerAttr(loops.getLine()));
}

void DiamondSharing::end() { memref::DeallocOp::create(b, taken.memory); }

LogicalResult DiamondSharing::share(Value count, LoopBody emit) {
  Value zero = math.constant(0), one = math.constant(1);
  memref::StoreOp::create(b, arith::ConstantIntOp::create(b, 0, 64),
                          taken.memory, zero);
  OpBuilder::InsertionGuard guard(b);
  auto threads = scf::ParallelOp::create(b, ValueRange(zero),
                                         ValueRange(sharers), ValueRange(one));
  sharer = threads.getInductionVars().front();
  b.setInsertionPoint(threads.getBody()->getTerminator());
  return emit(taken.emitTurns(zero, count));
}

/// Waits until the diamond at a place of the row before `row` is done.
void DiamondSharing::waitFor(Value place, Value row) {
  OpBuilder::InsertionGuard guard(b);
  auto turns = scf::WhileOp::create(b, TypeRange(), ValueRange());
  b.createBlock(&turns.getBefore());
  // A load that sees what was stored before.
  Value none = arith::ConstantIntOp::create(b, 0, 64);
  Value rowsDone = done.change(arith::AtomicRMWKind::ori, none, place);
  scf::ConditionOp::create(b, math.less(rowsDone, row), ValueRange());
  b.createBlock(&turns.getAfter());
  // There may be fewer cores than threads.
  callStepFunction(b, kYieldProcessor, {});
  scf::YieldOp::create(b);
}

LogicalResult
DiamondSharing::emitRows(Value rows,
                         llvm::function_ref<LogicalResult(Value, Value)> emit) {
  Value zero = math.constant(0);
  done.memory = memref::AllocOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI64Type()),
      math.mul(countOfRow, ThreadCounters::countPerLine(loops)),
      b.getI64IntegerAttr(loops.getLine()));
  done.clear(countOfRow);
  auto emitNext = [&](Value number) -> LogicalResult {
    Value row = math.div(number, countOfRow);
    Value place = math.rem(number, countOfRow);
    // Rows are by turns half a diamond further.
    Value right = math.add(place, math.rem(row, math.constant(2)));
    Value left = math.add(right, -1);
    waitFor(math.max(left, zero), row);
    waitFor(math.min(right, math.add(countOfRow, -1)), row);
    if (failed(emit(row, place)))
      return failure();
    Value rowsDone =
        arith::IndexCastOp::create(b, b.getI64Type(), math.add(row, 1));
    done.change(arith::AtomicRMWKind::assign, rowsDone, place);
    return success();
  };
  LogicalResult result = share(math.mul(rows, countOfRow), emitNext);
  memref::DeallocOp::create(b, done.memory);
  return result;
}
