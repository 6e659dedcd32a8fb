@HEADER@
//
// @FLAG@: every product with two inside an apply becomes a sum.
//
//   %two = arith.constant 2.0 : f64
//   %r = arith.mulf %x, %two : f64   ==>   %r = arith.addf %x, %x : f64
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stencil {
#define GEN_PASS_DEF_STENCIL@UPPER@
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;

namespace {

struct ProductWithTwo : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    if (!op->getParentOfType<stencil::ApplyOp>())
      return rewriter.notifyMatchFailure(op, "not inside an apply");
    APFloat factor(0.0);
    if (!matchPattern(op.getRhs(), m_ConstantFloat(&factor)) ||
        !factor.isExactlyValue(2.0))
      return rewriter.notifyMatchFailure(op, "the factor is not two");
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getLhs(), op.getLhs(),
                                               op.getFastmathAttr());
    return success();
  }
};

struct @CLASS@ : stencil::impl::Stencil@CLASS@Base<@CLASS@> {
  void runOnOperation() override {
    // What a pass relies on it checks first, with an error at the op at fault.
    WalkResult checked = getOperation()->walk([](stencil::ApplyOp apply) {
      if (apply.getDomain())
        return WalkResult::advance();
      apply.emitOpError("expected a known domain; run stencil-infer-shapes "
                        "before @FLAG@");
      return WalkResult::interrupt();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    patterns.add<ProductWithTwo>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
