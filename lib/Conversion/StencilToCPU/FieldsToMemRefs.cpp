//===- FieldsToMemRefs.cpp - Casts, allocations and foreign storage -------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace stencil;

/// A message for the user of a compiled program, who has no IR at hand.
static std::string describe(Location loc, const Twine &what) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn() << ": ";
  os << what;
  return text;
}

namespace {

/// A cast to bounds. Extents of the buffer are checked against those that the
/// type states, and against those that earlier casts bound.
struct CastLowering : OpConversionPattern<CastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value buffer = adaptor.getField();
    auto from = cast<MemRefType>(buffer.getType());
    auto to =
        getTypeConverter()->convertType<MemRefType>(op.getResult().getType());
    if (!to)
      return rewriter.notifyMatchFailure(op, "no memref type");
    BoundsAttr bounds = cast<GridType>(op.getResult().getType()).getBounds();
    for (int64_t axis = 0; axis < to.getRank(); ++axis) {
      if (from.getDimSize(axis) == to.getDimSize(axis) &&
          !from.isDynamicDim(axis))
        continue;
      if (!to.isDynamicDim(axis)) {
        Value size = memref::DimOp::create(rewriter, loc, buffer, axis);
        Value expected =
            arith::ConstantIndexOp::create(rewriter, loc, to.getDimSize(axis));
        Value same = arith::CmpIOp::create(
            rewriter, loc, arith::CmpIPredicate::eq, size, expected);
        cf::AssertOp::create(rewriter, loc, same,
                             describe(loc, "expected an extent of " +
                                               Twine(to.getDimSize(axis)) +
                                               " on axis " + Twine(axis)));
      } else if (bounds) {
        checkExtent(rewriter, op, buffer, bounds, axis);
      }
    }
    if (from != to)
      buffer = memref::CastOp::create(rewriter, loc, to, buffer);
    rewriter.replaceOp(op, buffer);
    return success();
  }

private:
  /// The axis has an interior, and the same one as in other fields.
  void checkExtent(ConversionPatternRewriter &rewriter, CastOp op, Value buffer,
                   BoundsAttr bounds, int64_t axis) const {
    Location loc = op.getLoc();
    Extents extents;
    extents.learn(rewriter, loc, cast<GridType>(op.getResult().getType()),
                  buffer);
    Value extent = extents.get(axis);
    if (!extent)
      return;
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value positive = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::sge, extent, one);
    cf::AssertOp::create(
        rewriter, loc, positive,
        describe(loc,
                 "the field is smaller than its halo on axis " + Twine(axis)));
    auto function = op->getParentOfType<func::FuncOp>();
    CastOp other;
    function.walk([&](CastOp candidate) {
      auto type = cast<GridType>(candidate.getResult().getType());
      if (candidate == op)
        return WalkResult::interrupt();
      if (candidate->getBlock() == op->getBlock() &&
          type.getRank() == bounds.getRank() && type.getBounds() &&
          isSymbolic(type.getBounds().getUb()[axis]) &&
          !isSymbolic(type.getBounds().getLb()[axis])) {
        other = candidate;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    Value otherBuffer =
        other ? rewriter.getRemappedValue(other.getResult()) : Value();
    if (!otherBuffer)
      return;
    Extents known;
    known.learn(rewriter, loc, cast<GridType>(other.getResult().getType()),
                otherBuffer);
    Value same = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                       extent, known.get(axis));
    cf::AssertOp::create(
        rewriter, loc, same,
        describe(loc, "the extent of axis " + Twine(axis) +
                          " differs from that of another field"));
  }
};

/// Buffers are freed where the function returns.
struct AllocLowering : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<GridType>(op.getField().getType());
    auto memref = getTypeConverter()->convertType<MemRefType>(type);
    if (!memref)
      return rewriter.notifyMatchFailure(op, "no memref type");
    BoundsAttr bounds = type.getBounds();
    if (!bounds)
      return op.emitOpError("expected a field with bounds, got ") << Type(type);
    Extents extents;
    if (bounds.isSymbolic())
      learnFromFunction(rewriter, op, extents);
    SmallVector<Value> sizes;
    for (int64_t axis = 0; axis < bounds.getRank(); ++axis) {
      if (!memref.isDynamicDim(axis))
        continue;
      if (!extents.get(axis))
        return op.emitOpError("the extent of axis ")
               << axis << " is not bound by a field argument or a cast before";
      Value lb = extents.getBound(rewriter, loc, bounds.getLb()[axis], axis);
      Value ub = extents.getBound(rewriter, loc, bounds.getUb()[axis], axis);
      sizes.push_back(arith::SubIOp::create(rewriter, loc, ub, lb));
    }
    Value buffer = memref::AllocOp::create(rewriter, loc, memref, sizes,
                                           rewriter.getI64IntegerAttr(64));
    // The block that has the allocation outlives all uses of it.
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op->getBlock()->getTerminator());
    memref::DeallocOp::create(rewriter, loc, buffer);
    rewriter.replaceOp(op, buffer);
    return success();
  }

private:
  static void learnFromFunction(ConversionPatternRewriter &rewriter, AllocOp op,
                                Extents &extents) {
    auto function = op->getParentOfType<func::FuncOp>();
    DominanceInfo dominance(function);
    auto learn = [&](Value field) {
      auto type = dyn_cast<FieldType>(field.getType());
      if (!type || !type.getBounds())
        return;
      if (Value buffer = rewriter.getRemappedValue(field))
        extents.learn(rewriter, op.getLoc(), cast<GridType>(Type(type)),
                      buffer);
    };
    for (BlockArgument argument : function.getArguments())
      learn(argument);
    function.walk([&](CastOp castOp) {
      if (dominance.dominates(castOp.getOperation(), op))
        learn(castOp.getResult());
    });
  }
};

struct ExternalLoadLowering : OpConversionPattern<ExternalLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExternalLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto from = dyn_cast<MemRefType>(adaptor.getField().getType());
    auto to = dyn_cast_or_null<MemRefType>(
        getTypeConverter()->convertType(op.getResult().getType()));
    if (!from || !to || !memref::CastOp::areCastCompatible(from, to))
      return op.emitOpError("expected a memref of row-major layout, got ")
             << op.getField().getType();
    Value buffer = adaptor.getField();
    if (from != to)
      buffer = memref::CastOp::create(rewriter, op.getLoc(), to, buffer);
    rewriter.replaceOp(op, buffer);
    return success();
  }
};

struct ExternalStoreLowering : OpConversionPattern<ExternalStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExternalStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(adaptor.getField().getType()))
      return op.emitOpError("expected a memref, got ")
             << op.getField().getType();
    auto stripCasts = [](Value value) {
      while (auto castOp = value.getDefiningOp<memref::CastOp>())
        value = castOp.getSource();
      return value;
    };
    // A field that was made of this very memref is there already.
    if (stripCasts(adaptor.getTemp()) != stripCasts(adaptor.getField()))
      memref::CopyOp::create(rewriter, op.getLoc(), adaptor.getTemp(),
                             adaptor.getField());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void stencil::populateFieldsToMemRefs(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<CastLowering, AllocLowering, ExternalLoadLowering,
               ExternalStoreLowering>(converter, patterns.getContext());
}
