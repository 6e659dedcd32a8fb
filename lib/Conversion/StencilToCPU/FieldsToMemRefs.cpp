//===- FieldsToMemRefs.cpp - Casts, allocations and foreign storage -------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

namespace {

/// What asks for facts of the function that it is in, or adds to them.
template <typename Op> struct LoweringWithFacts : OpConversionPattern<Op> {
  LoweringWithFacts(const TypeConverter &converter, MLIRContext *context,
                    FactsOfFunctions &facts)
      : OpConversionPattern<Op>(converter, context), facts(facts) {}

protected:
  FactsOfFunctions &facts;
};

/// A cast to bounds. Extents of the buffer are checked against those that the
/// type states, and against those that earlier casts bound.
struct CastLowering : LoweringWithFacts<CastOp> {
  using LoweringWithFacts::LoweringWithFacts;

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
    checkCastExtents(rewriter, loc, cast<GridType>(op.getResult().getType()),
                     buffer);
    if (from != to)
      buffer = memref::CastOp::create(rewriter, loc, to, buffer);
    auto function = op->getParentOfType<func::FuncOp>();
    bindArgumentExtents(function, facts[function]);
    bindExtents(rewriter, loc, cast<GridType>(op.getResult().getType()), buffer,
                facts[function]);
    rewriter.replaceOp(op, buffer);
    return success();
  }
};

/// Buffers are freed at the end of their block, unless the function returns
/// them: then they are the caller's.
struct AllocLowering : LoweringWithFacts<AllocOp> {
  using LoweringWithFacts::LoweringWithFacts;

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
    auto function = op->getParentOfType<func::FuncOp>();
    FunctionFacts &known = facts[function];
    bindArgumentExtents(function, known);
    SmallVector<Value> sizes;
    for (int64_t axis = 0; axis < bounds.getRank(); ++axis) {
      if (!memref.isDynamicDim(axis))
        continue;
      if (failed(requireExtent(op, known.extents, axis)))
        return failure();
      Value lb =
          known.extents.getBound(rewriter, loc, bounds.getLb()[axis], axis);
      Value ub =
          known.extents.getBound(rewriter, loc, bounds.getUb()[axis], axis);
      sizes.push_back(arith::SubIOp::create(rewriter, loc, ub, lb));
    }
    Value buffer = memref::AllocOp::create(
        rewriter, loc,
        MemRefType::get(memref.getShape(), memref.getElementType()), sizes,
        rewriter.getI64IntegerAttr(64));
    if (!known.returned.contains(op)) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op->getBlock()->getTerminator());
      memref::DeallocOp::create(rewriter, loc, buffer);
    }
    if (buffer.getType() != memref)
      buffer = memref::CastOp::create(rewriter, loc, memref, buffer);
    rewriter.replaceOp(op, buffer);
    return success();
  }
};

/// What a field argument or a cast before has bound.
struct ExtentLowering : LoweringWithFacts<ExtentOp> {
  using LoweringWithFacts::LoweringWithFacts;

  LogicalResult
  matchAndRewrite(ExtentOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto function = op->getParentOfType<func::FuncOp>();
    FunctionFacts &known = facts[function];
    bindArgumentExtents(function, known);
    auto axis = static_cast<int64_t>(op.getAxis());
    if (failed(requireExtent(op, known.extents, axis)))
      return failure();
    rewriter.replaceOp(op, known.extents.get(axis));
    return success();
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
    if (stripCasts(adaptor.getTemp()) != stripCasts(adaptor.getField())) {
      auto from = cast<MemRefType>(adaptor.getTemp().getType());
      if (!from.getLayout().isIdentity())
        return op.emitOpError("cannot copy rows with gaps to a memref");
      memref::CopyOp::create(rewriter, op.getLoc(), adaptor.getTemp(),
                             adaptor.getField());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void stencil::populateFieldsToMemRefs(const TypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      FactsOfFunctions &facts) {
  patterns.add<CastLowering, AllocLowering, ExtentLowering>(
      converter, patterns.getContext(), facts);
  patterns.add<ExternalLoadLowering, ExternalStoreLowering>(
      converter, patterns.getContext());
}
