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

struct FoldLowering : OpConversionPattern<FoldOp> {
  FoldLowering(const TypeConverter &converter, MLIRContext *context,
               FactsOfFunctions &facts)
      : OpConversionPattern(converter, context), facts(facts) {}

  LogicalResult
  matchAndRewrite(FoldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;

private:
  FactsOfFunctions &facts;
};

} // namespace

/// Folds the row from `point` (its last coordinate is the start) to `end` into
/// `init`: vectors first, then the last points.
static Value foldRow(OpBuilder &builder, FoldOp op, ValueRange buffers,
                     const Folder &folder, const Extents &extents,
                     ValueRange outer, Value start, Value end, int64_t lanes,
                     Value init) {
  Location loc = op.getLoc();
  auto loadTerm = [&](OpBuilder &inner, Value position, int64_t width) {
    SmallVector<Value> values;
    for (auto [temp, buffer] : llvm::zip_equal(op.getTemps(), buffers)) {
      auto type = cast<GridType>(temp.getType());
      SmallVector<Value> point(outer);
      point.push_back(position);
      SmallVector<Value> indices = extents.getIndices(inner, loc, type, point);
      if (width > 1)
        values.push_back(vector::LoadOp::create(
            inner, loc, VectorType::get({width}, type.getElementType()), buffer,
            indices));
      else
        values.push_back(memref::LoadOp::create(inner, loc, buffer, indices));
    }
    return folder.getTerm(inner, values);
  };
  auto loop = [&](Value lb, Value ub, int64_t width, Value initial) -> Value {
    Value step = arith::ConstantIndexOp::create(builder, loc, width);
    auto result = scf::ForOp::create(
        builder, loc, lb, ub, step, initial,
        [&](OpBuilder &inner, Location, Value position, ValueRange carried) {
          Value next = folder.combine(inner, carried.front(),
                                      loadTerm(inner, position, width));
          scf::YieldOp::create(inner, loc, next);
        });
    return result.getResult(0);
  };
  if (lanes > 1) {
    Value width = arith::ConstantIndexOp::create(builder, loc, lanes);
    Value length = arith::SubIOp::create(builder, loc, end, start);
    Value rest = arith::RemUIOp::create(builder, loc, length, width);
    Value middle = arith::SubIOp::create(builder, loc, end, rest);
    Value identity = vector::BroadcastOp::create(
        builder, loc, VectorType::get({lanes}, folder.getAccumulatorType()),
        folder.getIdentity(builder));
    Value vectors = loop(start, middle, lanes, identity);
    Value reduced = vector::ReductionOp::create(
        builder, loc, folder.getCombiningKind(), vectors);
    init = folder.combine(builder, init, reduced);
    start = middle;
  }
  return loop(start, end, 1, init);
}

LogicalResult
FoldLowering::matchAndRewrite(FoldOp op, OpAdaptor adaptor,
                              ConversionPatternRewriter &rewriter) const {
  Location loc = op.getLoc();
  for (Value buffer : adaptor.getTemps())
    if (!isa<MemRefType>(buffer.getType()))
      return op.emitOpError("expected fields; run stencil-bufferize");
  Folder folder(op);
  Extents extents;
  for (auto [temp, buffer] : llvm::zip_equal(op.getTemps(), adaptor.getTemps()))
    extents.learn(rewriter, loc, cast<GridType>(temp.getType()), buffer);
  BoundsAttr bounds = op.getBounds();
  if (failed(completeExtents(op, bounds, facts, extents)))
    return failure();
  int64_t rank = bounds.getRank();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value count = one;
  LoopBox box = makeBox(rewriter, loc, bounds, extents);
  for (int64_t axis = 0; axis < rank; ++axis) {
    Value size =
        arith::SubIOp::create(rewriter, loc, box.ub[axis], box.lb[axis]);
    count = arith::MulIOp::create(rewriter, loc, count, size);
  }
  Type element = folder.getAccumulatorType();
  CPULoopsAttr loops = getLoops(op);
  int64_t lanes = loops.getLanes();

  // A slice: one index of the first axis, or a chunk of a row.
  int64_t slice =
      rank == 1 ? (loops.getTile().empty() ? 0 : loops.getTile().front()) : 1;
  Value length = arith::SubIOp::create(rewriter, loc, box.ub[0], box.lb[0]);
  Value sliceSize =
      slice > 0
          ? arith::ConstantIndexOp::create(rewriter, loc, slice).getResult()
          : arith::MaxSIOp::create(rewriter, loc, length, one).getResult();
  Value slices = arith::CeilDivUIOp::create(rewriter, loc, length, sliceSize);
  Value partial = memref::AllocOp::create(
      rewriter, loc, MemRefType::get({ShapedType::kDynamic}, element),
      ValueRange{slices});
  {
    OpBuilder::InsertionGuard guard(rewriter);
    Value number;
    if (loops.getThreads() > 0) {
      auto loop = scf::ParallelOp::create(rewriter, loc, ValueRange{zero},
                                          ValueRange{slices}, ValueRange{one});
      rewriter.setInsertionPoint(loop.getBody()->getTerminator());
      number = loop.getInductionVars().front();
    } else {
      auto loop = scf::ForOp::create(rewriter, loc, zero, slices, one);
      rewriter.setInsertionPoint(loop.getBody()->getTerminator());
      number = loop.getInductionVar();
    }
    Value offset = arith::MulIOp::create(rewriter, loc, number, sliceSize);
    Value start = arith::AddIOp::create(rewriter, loc, box.lb[0], offset);
    // Nested loops that carry the fold; the innermost axis is a row.
    std::function<Value(OpBuilder &, SmallVector<Value>, Value)> nest =
        [&](OpBuilder &builder, SmallVector<Value> outer, Value init) -> Value {
      int64_t axis = outer.size();
      if (axis == rank - 1)
        return foldRow(builder, op, adaptor.getTemps(), folder, extents, outer,
                       box.lb[axis], box.ub[axis], lanes, init);
      auto loop = scf::ForOp::create(
          builder, loc, box.lb[axis], box.ub[axis], one, init,
          [&](OpBuilder &inner, Location, Value position, ValueRange carried) {
            outer.push_back(position);
            Value next = nest(inner, outer, carried.front());
            outer.pop_back();
            scf::YieldOp::create(inner, loc, next);
          });
      return loop.getResult(0);
    };
    Value identity = folder.getIdentity(rewriter);
    Value folded;
    if (rank == 1) {
      Value end = arith::AddIOp::create(rewriter, loc, start, sliceSize);
      end = arith::MinSIOp::create(rewriter, loc, end, box.ub[0]);
      folded = foldRow(rewriter, op, adaptor.getTemps(), folder, extents, {},
                       start, end, lanes, identity);
    } else {
      folded = nest(rewriter, {start}, identity);
    }
    memref::StoreOp::create(rewriter, loc, folded, partial, number);
  }
  auto total = scf::ForOp::create(
      rewriter, loc, zero, slices, one, folder.getIdentity(rewriter),
      [&](OpBuilder &inner, Location, Value number, ValueRange carried) {
        Value part = memref::LoadOp::create(inner, loc, partial, number);
        Value next = folder.combine(inner, carried.front(), part);
        scf::YieldOp::create(inner, loc, next);
      });
  memref::DeallocOp::create(rewriter, loc, partial);
  rewriter.replaceOp(op, folder.finish(rewriter, total.getResult(0), count,
                                       op.getRes().getType()));
  return success();
}

void stencil::populateFoldToLoops(const TypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  FactsOfFunctions &facts) {
  patterns.add<FoldLowering>(converter, patterns.getContext(), facts);
}
