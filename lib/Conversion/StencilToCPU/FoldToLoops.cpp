//===- FoldToLoops.cpp - Reductions to loops ------------------------------===//
//
// Every slice of the first axis is folded on some thread to one partial result;
// the partial results are folded in order. The result therefore does not depend
// on the number of threads. Sums of floating-point numbers are taken in f64.
//
//===----------------------------------------------------------------------===//

#include "LoopKeys.h"
#include "LoopNest.h"
#include "Patterns.h"
#include "StencilDialect/Conversion/FoldMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

namespace {

/// The loops of one fold.
class FoldEmitter {
public:
  FoldEmitter(const OpBuilder &builder, FoldOp op, ValueRange buffers)
      : b(op.getLoc(), builder), op(op), buffers(buffers), folder(op),
        loops(getLoops(op)) {}

  FailureOr<Value> emit(FactsOfFunctions &facts);

private:
  using GetNext = llvm::function_ref<Value(Value position, Value folded)>;
  Value foldLoop(Value lb, Value ub, Value step, Value init, GetNext getNext);
  Value loadTerm(ValueRange outer, Value position, int64_t width);
  Value foldRow(ValueRange outer, Value start, Value end, Value init);
  Value foldSlice(SmallVector<Value> outer, Value step, Value init);

  LoopBuilder b;
  FoldOp op;
  ValueRange buffers;
  Folder folder;
  CPULoopsAttr loops;
  Extents extents;
  LoopBox box;
};

} // namespace

/// A loop that carries the fold.
Value FoldEmitter::foldLoop(Value lb, Value ub, Value step, Value init,
                            GetNext getNext) {
  auto loop = scf::ForOp::create(
      b, lb, ub, step, init,
      [&](OpBuilder &, Location, Value position, ValueRange folded) {
        scf::YieldOp::create(b, getNext(position, folded.front()));
      });
  return loop.getResult(0);
}

Value FoldEmitter::loadTerm(ValueRange outer, Value position, int64_t width) {
  SmallVector<Value> values;
  for (auto [temp, buffer] : llvm::zip_equal(op.getTemps(), buffers)) {
    auto type = cast<GridType>(temp.getType());
    SmallVector<Value> point(outer);
    point.push_back(position);
    SmallVector<Value> indices = extents.getIndices(b, b.getLoc(), type, point);
    if (width > 1)
      values.push_back(vector::LoadOp::create(
          b, VectorType::get({width}, type.getElementType()), buffer, indices));
    else
      values.push_back(memref::LoadOp::create(b, buffer, indices));
  }
  return folder.getTerm(b, values);
}

/// Folds the row at `outer` from `start` to `end` into `init`: vectors first,
/// then the last points.
Value FoldEmitter::foldRow(ValueRange outer, Value start, Value end,
                           Value init) {
  auto loop = [&](Value lb, Value ub, int64_t width, Value initial) {
    return foldLoop(
        lb, ub, b.constant(width), initial, [&](Value position, Value folded) {
          return folder.combine(b, folded, loadTerm(outer, position, width));
        });
  };
  if (int64_t lanes = loops.getLanes(); lanes > 1) {
    Value width = b.constant(lanes);
    Value rest = b.remainder(b.subtract(end, start), width);
    Value middle = b.subtract(end, rest);
    Value identity = vector::BroadcastOp::create(
        b, VectorType::get({lanes}, folder.getAccumulatorType()),
        folder.getIdentity(b));
    Value vectors = loop(start, middle, lanes, identity);
    Value reduced =
        vector::ReductionOp::create(b, folder.getCombiningKind(), vectors);
    init = folder.combine(b, init, reduced);
    start = middle;
  }
  return loop(start, end, 1, init);
}

/// Nested loops; the innermost axis is a row.
Value FoldEmitter::foldSlice(SmallVector<Value> outer, Value step, Value init) {
  int64_t axis = outer.size();
  Value lb = box.lb[axis], ub = box.ub[axis];
  if (axis == op.getBounds().getRank() - 1)
    return foldRow(outer, lb, ub, init);
  return foldLoop(lb, ub, step, init, [&](Value position, Value folded) {
    SmallVector<Value> inner = outer;
    inner.push_back(position);
    return foldSlice(inner, step, folded);
  });
}

FailureOr<Value> FoldEmitter::emit(FactsOfFunctions &facts) {
  for (auto [temp, buffer] : llvm::zip_equal(op.getTemps(), buffers))
    extents.learn(b, b.getLoc(), cast<GridType>(temp.getType()), buffer);
  BoundsAttr bounds = op.getBounds();
  if (failed(completeExtents(op, bounds, facts, extents)))
    return failure();
  Value zero = b.constant(0), one = b.constant(1), count = one;
  box = b.makeBox(bounds, extents);
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub))
    count = b.multiply(count, b.subtract(ub, lb));

  // A slice: one index of the first axis, or a chunk of a row.
  bool isRow = bounds.getRank() == 1;
  int64_t slice =
      isRow ? (loops.getTile().empty() ? 0 : loops.getTile().front()) : 1;
  Value length = b.subtract(box.ub[0], box.lb[0]);
  Value sliceSize = slice > 0 ? b.constant(slice) : b.larger(length, one);
  Value slices = arith::CeilDivUIOp::create(b, length, sliceSize);
  Value partial = memref::AllocOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, folder.getAccumulatorType()),
      ValueRange{slices});
  auto emitSlice = [&](Value number) {
    Value start = b.add(box.lb[0], b.multiply(number, sliceSize));
    Value folded = folder.getIdentity(b);
    if (isRow) {
      Value end = b.smaller(b.add(start, sliceSize), box.ub[0]);
      folded = foldRow({}, start, end, folded);
    } else {
      folded = foldSlice({start}, one, folded);
    }
    memref::StoreOp::create(b, folded, partial, number);
  };
  {
    OpBuilder::InsertionGuard guard(b);
    if (loops.getThreads() > 0) {
      auto loop = scf::ParallelOp::create(b, ValueRange{zero},
                                          ValueRange{slices}, ValueRange{one});
      b.setInsertionPoint(loop.getBody()->getTerminator());
      emitSlice(loop.getInductionVars().front());
    } else {
      auto loop = scf::ForOp::create(b, zero, slices, one);
      b.setInsertionPoint(loop.getBody()->getTerminator());
      emitSlice(loop.getInductionVar());
    }
  }
  Value total = foldLoop(zero, slices, one, folder.getIdentity(b),
                         [&](Value number, Value folded) {
                           Value part =
                               memref::LoadOp::create(b, partial, number);
                           return folder.combine(b, folded, part);
                         });
  memref::DeallocOp::create(b, partial);
  return folder.finish(b, total, count, op.getRes().getType());
}

LogicalResult stencil::lower(CPULowering &lowering, FoldOp op,
                             FoldOp::Adaptor operands) {
  for (Value buffer : operands.getTemps())
    if (!isa<MemRefType>(buffer.getType()))
      return op.emitOpError("expected fields; run stencil-bufferize");
  FoldEmitter emitter(lowering.rewriter, op, operands.getTemps());
  FailureOr<Value> result = emitter.emit(lowering.facts);
  if (failed(result))
    return failure();
  lowering.rewriter.replaceOp(op, *result);
  return success();
}
