//===- LowerScalarMath.cpp - What upstream's conversions get wrong --------===//
//
// `arith-expand` compares zeros without their signs, `convert-math-to-llvm`
// computes log1p(x) as log(1 + x), and LLVM's code for x86 rounds to bfloat by
// an instruction that takes denormal numbers for zero. Here the same ops become
// what is right in all of these cases.
//
//===----------------------------------------------------------------------===//

#include "ScalarMath.h"
#include "StencilDialect/Conversion/CallIntrinsic.h"
#include "StencilDialect/Conversion/FusedProducts.h"
#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWERSCALARMATH
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Of a scalar's or a vector's elements.
static const llvm::fltSemantics &getSemantics(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(value)).getFloatSemantics();
}

namespace {

/// A test of a number as a comparison: of its magnitude with infinity, or of
/// itself with itself.
template <typename Op> struct CompareInstead : OpRewritePattern<Op> {
  CompareInstead(MLIRContext *context, arith::CmpFPredicate predicate)
      : OpRewritePattern<Op>(context), predicate(predicate) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value left = op.getOperand(), right = left;
    if (predicate != arith::CmpFPredicate::UNO) {
      left = math::AbsFOp::create(rewriter, op.getLoc(), left);
      right = createScalarOrSplatConstant(rewriter, op.getLoc(), left.getType(),
                                          APFloat::getInf(getSemantics(left)));
    }
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, predicate, left, right);
    return success();
  }

  arith::CmpFPredicate predicate;
};

/// Neither zero, denormal, infinite nor NaN.
LogicalResult compareNormal(math::IsNormalOp op, PatternRewriter &rewriter) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Value size = math::AbsFOp::create(b, op.getOperand());
  const llvm::fltSemantics &semantics = getSemantics(size);
  auto compare = [&](arith::CmpFPredicate predicate, const APFloat &value) {
    return arith::CmpFOp::create(
        b, predicate, size,
        createScalarOrSplatConstant(b, b.getLoc(), size.getType(), value));
  };
  rewriter.replaceOpWithNewOp<arith::AndIOp>(
      op,
      compare(arith::CmpFPredicate::OGE,
              APFloat::getSmallestNormalized(semantics)),
      compare(arith::CmpFPredicate::OLT, APFloat::getInf(semantics)));
  return success();
}

/// No GPU has an instruction for both.
LogicalResult splitSincos(math::SincosOp op, PatternRewriter &rewriter) {
  Value x = op.getOperand();
  Value sine = math::SinOp::create(rewriter, op.getLoc(), x, op.getFastmath());
  Value cosine =
      math::CosOp::create(rewriter, op.getLoc(), x, op.getFastmath());
  rewriter.replaceOp(op, {sine, cosine});
  return success();
}

bool isFusedProduct(math::FmaOp op) {
  return stencil::hasFusedProducts(op.getType()) &&
         !getElementTypeOrSelf(op).isF16() &&
         arith::bitEnumContainsAll(op.getFastmath(),
                                   arith::FastMathFlags::contract);
}

/// a * b + c of a sum that may be rounded once: where the processor has no
/// instruction for it, it is rounded twice, not computed by the C library. Of
/// 16 bits it is computed with 32 there, and rounded once.
LogicalResult fuseIfFast(math::FmaOp op, PatternRewriter &rewriter) {
  if (!isFusedProduct(op))
    return rewriter.notifyMatchFailure(op, "expected the flag 'contract'");
  rewriter.replaceOpWithNewOp<LLVM::FMulAddOp>(op, op.getType(), op.getA(),
                                               op.getB(), op.getC());
  return success();
}

/// Conversions to i1, which LLVM's code for AMD's GPUs lacks in part.
template <typename Op>
LogicalResult convertToBit(Op op, PatternRewriter &rewriter) {
  Type wide = withElement(op.getType(), rewriter.getI32Type());
  Value number = Op::create(rewriter, op.getLoc(), wide, op.getIn());
  rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), number);
  return success();
}

struct LowerScalarMath
    : stencil::impl::StencilLowerScalarMathBase<LowerScalarMath> {
  using StencilLowerScalarMathBase::StencilLowerScalarMathBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    stencil::populatePowers(patterns, target, device);

    // Of upstream's expansions, all but those of maximumf and minimumf, which
    // LLVM has intrinsics for.
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                        arith::FloorDivSIOp>();
    arith::populateExpandBFloat16Patterns(patterns);
    target.addDynamicallyLegalOp<arith::ExtFOp>([](arith::ExtFOp op) {
      return !isBFloat(op.getIn().getType()) ||
             !getElementTypeOrSelf(op.getType()).isF32();
    });
    target.addDynamicallyLegalOp<arith::TruncFOp>([this](arith::TruncFOp op) {
      Type from = getElementTypeOrSelf(op.getIn().getType());
      return !isBFloat(op.getType()) ||
             !(from.isF32() || (from.isF64() && !device));
    });

    // Extrema that ignore NaN. MLIR leaves open which of two zeros is the
    // larger one; here it is +0 everywhere, as in maximumf.
    patterns.add<stencil::CallIntrinsic<arith::MaxNumFOp>>(context,
                                                           "llvm.maximumnum");
    patterns.add<stencil::CallIntrinsic<arith::MinNumFOp>>(context,
                                                           "llvm.minimumnum");
    target.addIllegalOp<arith::MaxNumFOp, arith::MinNumFOp>();
    using arith::CmpFPredicate;
    patterns.add<CompareInstead<math::IsNaNOp>>(context, CmpFPredicate::UNO);
    patterns.add<CompareInstead<math::IsInfOp>>(context, CmpFPredicate::OEQ);
    patterns.add<CompareInstead<math::IsFiniteOp>>(context, CmpFPredicate::OLT);
    patterns.add(compareNormal);
    target.addIllegalOp<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp,
                        math::IsNormalOp>();
    if (device) {
      patterns.add(splitSincos);
      patterns.add(convertToBit<arith::FPToSIOp>);
      patterns.add(convertToBit<arith::FPToUIOp>);
      target.addIllegalOp<math::SincosOp>();
      target.addDynamicallyLegalOp<arith::FPToSIOp, arith::FPToUIOp>(
          [](Operation *op) {
            return !getElementTypeOrSelf(op->getResult(0)).isInteger(1);
          });
    } else {
      stencil::populateBFloats(patterns, target);
      populateMathToLibmConversionPatterns(patterns);
      patterns.add(fuseIfFast, /*benefit=*/2);
      target.addDynamicallyLegalOp<math::FmaOp>([](math::FmaOp op) {
        return !isBFloat(op.getType()) && !isFusedProduct(op);
      });
      target.addIllegalOp<math::ExpM1Op, math::Log1pOp>();
    }
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
