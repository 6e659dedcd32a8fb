//===- FieldsToMemRefs.cpp - Casts, allocations and foreign storage -------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

static Value castTo(OpBuilder &builder, Location loc, MemRefType type,
                    Value buffer) {
  if (buffer.getType() == type)
    return buffer;
  return memref::CastOp::create(builder, loc, type, buffer);
}

/// A cast to bounds. Extents of the buffer are checked against those that the
/// type states, and against those that earlier casts bound.
LogicalResult stencil::lower(CPULowering &lowering, CastOp op,
                             CastOp::Adaptor operands) {
  ConversionPatternRewriter &rewriter = lowering.rewriter;
  auto type = cast<GridType>(op.getResult().getType());
  auto memref = lowering.types.convertType<MemRefType>(type);
  if (!memref)
    return rewriter.notifyMatchFailure(op, "no memref type");
  checkCastExtents(rewriter, op.getLoc(), type, operands.getField());
  Value buffer = castTo(rewriter, op.getLoc(), memref, operands.getField());
  bindExtents(rewriter, op.getLoc(), type, buffer,
              getFactsAround(op, lowering.facts));
  rewriter.replaceOp(op, buffer);
  return success();
}

/// Buffers are freed at the end of their block, unless the function returns
/// them: then they are the caller's.
LogicalResult stencil::lower(CPULowering &lowering, AllocOp op,
                             AllocOp::Adaptor) {
  ConversionPatternRewriter &rewriter = lowering.rewriter;
  Location loc = op.getLoc();
  auto type = cast<GridType>(op.getField().getType());
  auto memref = lowering.types.convertType<MemRefType>(type);
  if (!memref)
    return rewriter.notifyMatchFailure(op, "no memref type");
  BoundsAttr bounds = type.getBounds();
  if (!bounds)
    return op.emitOpError("expected a field with bounds, got ") << Type(type);
  FunctionFacts &known = getFactsAround(op, lowering.facts);
  SmallVector<Value> sizes;
  for (auto [axis, lb, ub] : llvm::enumerate(bounds.getLb(), bounds.getUb())) {
    if (!memref.isDynamicDim(axis))
      continue;
    if (failed(requireExtent(op, known.extents, axis)))
      return failure();
    Value first = known.extents.getBound(rewriter, loc, lb, axis);
    Value end = known.extents.getBound(rewriter, loc, ub, axis);
    sizes.push_back(arith::SubIOp::create(rewriter, loc, end, first));
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
  rewriter.replaceOp(op, castTo(rewriter, loc, memref, buffer));
  return success();
}

/// What a field argument or a cast before has bound.
LogicalResult stencil::lower(CPULowering &lowering, ExtentOp op,
                             ExtentOp::Adaptor) {
  const Extents &known = getFactsAround(op, lowering.facts).extents;
  auto axis = static_cast<int64_t>(op.getAxis());
  if (failed(requireExtent(op, known, axis)))
    return failure();
  lowering.rewriter.replaceOp(op, known.get(axis));
  return success();
}

LogicalResult stencil::lower(CPULowering &lowering, ExternalLoadOp op,
                             ExternalLoadOp::Adaptor operands) {
  auto from = dyn_cast<MemRefType>(operands.getField().getType());
  auto to = dyn_cast_or_null<MemRefType>(
      lowering.types.convertType(op.getResult().getType()));
  if (!from || !to || !memref::CastOp::areCastCompatible(from, to))
    return op.emitOpError("expected a memref of row-major layout, got ")
           << op.getField().getType();
  lowering.rewriter.replaceOp(
      op, castTo(lowering.rewriter, op.getLoc(), to, operands.getField()));
  return success();
}

LogicalResult stencil::lower(CPULowering &lowering, ExternalStoreOp op,
                             ExternalStoreOp::Adaptor operands) {
  if (!isa<MemRefType>(operands.getField().getType()))
    return op.emitOpError("expected a memref, got ") << op.getField().getType();
  auto stripCasts = [](Value value) {
    while (auto castOp = value.getDefiningOp<memref::CastOp>())
      value = castOp.getSource();
    return value;
  };
  // A field that was made of this very memref is there already.
  if (stripCasts(operands.getTemp()) != stripCasts(operands.getField())) {
    auto from = cast<MemRefType>(operands.getTemp().getType());
    if (!from.getLayout().isIdentity())
      return op.emitOpError("cannot copy rows with gaps to a memref");
    memref::CopyOp::create(lowering.rewriter, op.getLoc(), operands.getTemp(),
                           operands.getField());
  }
  lowering.rewriter.eraseOp(op);
  return success();
}
