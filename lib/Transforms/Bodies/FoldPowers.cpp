//===- FoldPowers.cpp - Powers of constants -------------------------------===//

#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILFOLDPOWERS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Each product may double the error of quad precision: with more of them than
/// that, the result would not be as good as a function's.
static constexpr unsigned kMaxExponentBits = 40;

/// `base` to the power of `exponent`, rounded once. Quad precision has a range
/// so large that what leaves it is 0 or infinite in every type of a program.
static APFloat getPower(const APFloat &base, const APInt &exponent) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  const llvm::fltSemantics &quad = APFloat::IEEEquad();
  bool inexact;
  APFloat square = base, power = APFloat::getOne(quad);
  square.convert(quad, nearest, &inexact);
  for (APInt rest = exponent.abs(); !rest.isZero(); rest.lshrInPlace(1)) {
    if (rest[0])
      power.multiply(square, nearest);
    square.multiply(square, nearest);
  }
  if (exponent.isNegative()) {
    APFloat inverse = APFloat::getOne(quad);
    inverse.divide(power, nearest);
    power = inverse;
  }
  power.convert(base.getSemantics(), nearest, &inexact);
  return power;
}

namespace {

LogicalResult foldFPowI(math::FPowIOp op, PatternRewriter &rewriter) {
  FloatAttr base;
  APInt exponent;
  if (!matchPattern(op.getLhs(), m_Constant(&base)) ||
      !matchPattern(op.getRhs(), m_ConstantInt(&exponent)))
    return rewriter.notifyMatchFailure(op, "no scalar constants");
  if (exponent.getSignificantBits() > kMaxExponentBits)
    return rewriter.notifyMatchFailure(op, "too large an exponent");
  // One bit more: the magnitude of the smallest number is no number.
  APInt wide = exponent.sext(exponent.getBitWidth() + 1);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, rewriter.getFloatAttr(op.getType(), getPower(base.getValue(), wide)));
  return success();
}

struct FoldPowers : stencil::impl::StencilFoldPowersBase<FoldPowers> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(foldFPowI);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
