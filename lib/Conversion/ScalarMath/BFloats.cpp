//===- BFloats.cpp - Arithmetic on bf16, of denormal numbers, too ---------===//

#include "ScalarMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Ops on values of one shape.
class Values : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  template <typename Op> Value make(Value a, Value b) {
    return Op::create(*this, a, b);
  }
  template <typename Op> Value cast(Value value, Type element) {
    return Op::create(*this, withElement(value.getType(), element), value);
  }
  Value integer(Value like, int64_t number) {
    return createScalarOrSplatConstant(*this, getLoc(), like.getType(), number);
  }
  Value zero(Value like) {
    return arith::ConstantOp::create(*this, getZeroAttr(like.getType()));
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(*this, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }
  Value magnitude(Value value) { return math::AbsFOp::create(*this, value); }
};

/// Computes with floats, and rounds the result: correct for one of + - * /
/// (24 >= 2 * 8 + 2 bits; Figueroa 1995), exact for the others.
template <typename Op>
LogicalResult widenBFloats(Op op, PatternRewriter &rewriter) {
  if (!isBFloat(op.getType()))
    return rewriter.notifyMatchFailure(op, "expected bf16");
  Values values(op.getLoc(), rewriter);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        values.cast<arith::ExtFOp>(operand, rewriter.getF32Type()));
  auto computed = Op::create(values, TypeRange{operands[0].getType()}, operands,
                             op->getAttrs());
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                               computed->getResult(0));
  return success();
}

/// By way of the float that "rounding to odd" gives: towards zero, the last bit
/// set if that is inexact (Boldo, Melquiond: Emulation of a FMA and correctly
/// rounded sums, 2008).
LogicalResult roundOnce(arith::TruncFOp op, PatternRewriter &rewriter) {
  Value value = op.getIn();
  if (!isBFloat(op.getType()) || !getElementTypeOrSelf(value).isF64())
    return rewriter.notifyMatchFailure(op, "expected f64 to bf16");
  Values values(op.getLoc(), rewriter);
  Type integer = rewriter.getI32Type();
  using arith::CmpFPredicate;
  Value nearest = values.cast<arith::TruncFOp>(value, rewriter.getF32Type());
  Value back = values.cast<arith::ExtFOp>(nearest, rewriter.getF64Type());
  Value away = values.compare(CmpFPredicate::OGT, values.magnitude(back),
                              values.magnitude(value));
  Value inexact = values.compare(CmpFPredicate::ONE, back, value);
  Value bits = values.cast<arith::BitcastOp>(nearest, integer);
  Value truncated = values.make<arith::SubIOp>(
      bits, values.cast<arith::ExtUIOp>(away, integer));
  Value odd =
      values.make<arith::OrIOp>(truncated, values.integer(truncated, 1));
  Value rounded = values.cast<arith::BitcastOp>(
      values.select(inexact, odd, bits), rewriter.getF32Type());
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), rounded);
  return success();
}

/// The product of two bfloats is exact in f64. The sum is rounded to odd with
/// the error that TwoSum (Knuth) gives.
LogicalResult roundFmaOnce(math::FmaOp op, PatternRewriter &rewriter) {
  if (!isBFloat(op.getType()))
    return rewriter.notifyMatchFailure(op, "expected bf16");
  Values values(op.getLoc(), rewriter);
  Type wide = rewriter.getF64Type(), integer = rewriter.getI64Type();
  using arith::CmpFPredicate;
  auto extend = [&](Value value) {
    return values.cast<arith::ExtFOp>(value, wide);
  };
  Value product =
      values.make<arith::MulFOp>(extend(op.getA()), extend(op.getB()));
  Value addend = extend(op.getC());
  Value sum = values.make<arith::AddFOp>(product, addend);
  Value virtualAddend = values.make<arith::SubFOp>(sum, product);
  Value virtualProduct = values.make<arith::SubFOp>(sum, virtualAddend);
  Value error = values.make<arith::AddFOp>(
      values.make<arith::SubFOp>(product, virtualProduct),
      values.make<arith::SubFOp>(addend, virtualAddend));

  // Of a sum that is not finite the error is NaN.
  Value zero = values.zero(sum);
  Value inexact = values.compare(CmpFPredicate::ONE, error, zero);
  Value grows = values.make<arith::XOrIOp>(
      values.compare(CmpFPredicate::OGT, error, zero),
      values.compare(CmpFPredicate::OLE, sum, zero));
  Value bits = values.cast<arith::BitcastOp>(sum, integer);
  Value last = values.make<arith::AndIOp>(bits, values.integer(bits, 1));
  Value isEven = arith::CmpIOp::create(values, arith::CmpIPredicate::eq, last,
                                       values.integer(bits, 0));
  Value step =
      values.select(grows, values.integer(bits, 1), values.integer(bits, -1));
  Value odd = values.make<arith::AddIOp>(bits, step);
  bits = values.select(values.make<arith::AndIOp>(inexact, isEven), odd, bits);
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(
      op, op.getType(), values.cast<arith::BitcastOp>(bits, wide));
  return success();
}

template <typename... Ops>
void widen(RewritePatternSet &patterns, ConversionTarget &target) {
  // Before what takes any type.
  (patterns.add(widenBFloats<Ops>, /*benefit=*/2), ...);
  (target.addDynamicallyLegalOp<Ops>(
       [](Ops op) { return !isBFloat(op.getType()); }),
   ...);
}

} // namespace

void stencil::populateBFloats(RewritePatternSet &patterns,
                              ConversionTarget &target) {
  widen<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
        arith::RemFOp, arith::MaximumFOp, arith::MinimumFOp>(patterns, target);
  patterns.add(widenBFloats<arith::MaxNumFOp>, /*benefit=*/2);
  patterns.add(widenBFloats<arith::MinNumFOp>, /*benefit=*/2);
  patterns.add(roundOnce, /*benefit=*/2);
  patterns.add(roundFmaOnce, /*benefit=*/2);
  target.addDynamicallyLegalOp<math::FmaOp>(
      [](math::FmaOp op) { return !isBFloat(op.getType()); });
}
