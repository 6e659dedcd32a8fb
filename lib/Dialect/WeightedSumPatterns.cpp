//===- WeightedSumPatterns.cpp - Canonical form of weighted sums ----------===//

#include "BodyOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Drops taps whose constant weight is zero; a sum without taps is zero.
struct DropZeroTaps : OpRewritePattern<WeightedSumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WeightedSumOp op,
                                PatternRewriter &rewriter) const override {
    DenseElementsAttr weights = op.getDenseWeights();
    if (!weights)
      return rewriter.notifyMatchFailure(op, "the weights are not constant");
    auto isZero = [](Attribute weight) {
      if (auto number = dyn_cast<FloatAttr>(weight))
        return number.getValue().isZero();
      return cast<IntegerAttr>(weight).getValue().isZero();
    };
    Type type = op.getRes().getType();
    if (weights.isSplat()) {
      if (!isZero(weights.getSplatValue<Attribute>()))
        return rewriter.notifyMatchFailure(op, "no weight is zero");
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, rewriter.getZeroAttr(type));
      return success();
    }
    SmallVector<int64_t> offsets;
    SmallVector<Attribute> kept;
    for (auto [tap, weight] : llvm::enumerate(weights.getValues<Attribute>())) {
      if (isZero(weight))
        continue;
      llvm::append_range(offsets, op.getOffset(tap));
      kept.push_back(weight);
    }
    if (static_cast<int64_t>(kept.size()) == op.getNumTaps())
      return rewriter.notifyMatchFailure(op, "no weight is zero");
    if (kept.empty()) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, rewriter.getZeroAttr(type));
      return success();
    }
    auto taps =
        RankedTensorType::get({static_cast<int64_t>(kept.size())}, type);
    rewriter.replaceOpWithNewOp<WeightedSumOp>(
        op, op.getInput(), offsets, DenseElementsAttr::get(taps, kept),
        op.getOffsetMappingAttr(), op.getFastmath());
    return success();
  }
};

/// One tap of weight 1: an access, or the value itself.
struct UnwrapSingleTap : OpRewritePattern<WeightedSumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WeightedSumOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumTaps() != 1 || !op.getWeights() ||
        op.getRes().getType() != op.getTapType())
      return rewriter.notifyMatchFailure(op, "more than a shift");
    Attribute weight = *op.getDenseWeights().getValues<Attribute>().begin();
    auto number = dyn_cast<FloatAttr>(weight);
    if (number ? !number.getValue().isExactlyValue(1.0)
               : !cast<IntegerAttr>(weight).getValue().isOne())
      return rewriter.notifyMatchFailure(op, "the weight is not 1");
    if (op.isOverInput()) {
      rewriter.replaceOpWithNewOp<AccessOp>(op, op.getInput(), op.getOffset(0),
                                            op.getOffsetMappingAttr());
      return success();
    }
    if (!isZero(op.getOffset(0)))
      return rewriter.notifyMatchFailure(op, "a shift of a value of the body");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// Weights that became constants. Not where one is zero: an operand of zero is
/// a tap, a constant of zero is none.
struct FoldUniforms : OpRewritePattern<WeightedSumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WeightedSumOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Attribute> weights;
    for (Value uniform : op.getUniforms()) {
      Attribute weight;
      if (!matchPattern(uniform, m_Constant(&weight)) ||
          matchPattern(uniform, m_AnyZeroFloat()) ||
          matchPattern(uniform, m_Zero()))
        return rewriter.notifyMatchFailure(op, "a weight is not constant");
      if (auto number = dyn_cast<FloatAttr>(weight);
          number && !number.getValue().isFinite())
        return rewriter.notifyMatchFailure(op, "a weight is not finite");
      weights.push_back(weight);
    }
    if (weights.empty())
      return rewriter.notifyMatchFailure(op, "the weights are constant");
    auto type = RankedTensorType::get({static_cast<int64_t>(weights.size())},
                                      op.getRes().getType());
    rewriter.replaceOpWithNewOp<WeightedSumOp>(
        op, op.getInput(), op.getOffsets(),
        DenseElementsAttr::get(type, weights), op.getOffsetMappingAttr(),
        op.getFastmath());
    return success();
  }
};

} // namespace

void stencil::populateWeightedSumPatterns(RewritePatternSet &patterns) {
  patterns.add<DropZeroTaps, UnwrapSingleTap, FoldUniforms>(
      patterns.getContext());
}
