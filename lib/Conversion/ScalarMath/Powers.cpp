//===- Powers.cpp - Powers with integer exponents -------------------------===//
//
//   math.ipowi %b, %n   ==> products of squares, in a loop over the bits of %n
//   math.fpowi %x, 3    ==> (%x * %x) * %x
//   math.fpowi %x, %n   ==> math.powf of |%x| in f64, and the sign
//
//===----------------------------------------------------------------------===//

#include "ScalarMath.h"
#include "StencilDialect/Conversion/IntegerPowers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stencil;

/// The product of two numbers of the same type.
static Value multiply(ImplicitLocOpBuilder &b, Value left, Value right) {
  if (isa<FloatType>(getElementTypeOrSelf(left)))
    return arith::MulFOp::create(b, left, right);
  return arith::MulIOp::create(b, left, right);
}

/// `base` to the power of `exponent`, which is not zero, by squares.
static Value makeProducts(ImplicitLocOpBuilder &b, Value base, APInt exponent) {
  Value power;
  for (Value square = base;;) {
    if (exponent[0])
      power = power ? multiply(b, power, square) : square;
    exponent.lshrInPlace(1);
    if (exponent.isZero())
      return power;
    square = multiply(b, square, square);
  }
}

namespace {

/// Integers wrap around. Of negative exponents, 1 and -1 are their own inverse,
/// those of all others are truncated to 0; that 0 has none is checked where a
/// body becomes code.
struct ExpandIPowI : OpRewritePattern<math::IPowIOp> {
  ExpandIPowI(MLIRContext *context) : OpRewritePattern(context) {
    // i1 becomes i8.
    setHasBoundedRewriteRecursion();
  }

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    // 1 is no number of i1, which has 0 and -1.
    if (width == 1) {
      Type wide = withElement(type, rewriter.getI8Type());
      Value base = arith::ExtSIOp::create(b, wide, op.getLhs());
      Value exponent = arith::ExtSIOp::create(b, wide, op.getRhs());
      Value power = math::IPowIOp::create(b, base, exponent);
      rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, power);
      return success();
    }
    auto constant = [&](int64_t value) {
      return createScalarOrSplatConstant(b, b.getLoc(), type, value);
    };
    Value zero = constant(0), one = constant(1);
    Value base = op.getLhs(), exponent = op.getRhs();
    APInt known;
    if (matchPattern(exponent, m_ConstantInt(&known)) && known.isZero()) {
      rewriter.replaceOp(op, one);
      return success();
    }
    if (matchPattern(exponent, m_ConstantInt(&known)) &&
        known.isStrictlyPositive()) {
      rewriter.replaceOp(op, makeProducts(b, base, known));
      return success();
    }

    Value isNegative =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, exponent, zero);
    Value next = arith::AddIOp::create(b, base, one);
    Value isUnit =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ule, next, constant(2));
    Value inverse = arith::SelectOp::create(b, isUnit, base, zero);
    base = arith::SelectOp::create(b, isNegative, inverse, base);
    Value opposite = arith::SubIOp::create(b, zero, exponent);
    exponent = arith::SelectOp::create(b, isNegative, opposite, exponent);

    // Power so far, square, exponent that is left.
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, value);
    };
    auto loop = scf::ForOp::create(b, index(0), index(width), index(1),
                                   ValueRange{one, base, exponent});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value power = loop.getRegionIterArg(0), square = loop.getRegionIterArg(1),
            left = loop.getRegionIterArg(2);
      Value bit = arith::AndIOp::create(b, left, one);
      Value isSet =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, zero);
      Value product = arith::MulIOp::create(b, power, square);
      power = arith::SelectOp::create(b, isSet, product, power);
      square = arith::MulIOp::create(b, square, square);
      left = arith::ShRUIOp::create(b, left, one);
      scf::YieldOp::create(b, ValueRange{power, square, left});
    }
    rewriter.replaceOp(op, loop.getResult(0));
    return success();
  }
};

/// Products are a rounding each; more of them than this, and a function is
/// more accurate.
constexpr int64_t kMaxExponent = 16;

struct ExpandFPowI : OpRewritePattern<math::FPowIOp> {
  ExpandFPowI(MLIRContext *context, bool device)
      : OpRewritePattern(context), device(device) {
    // Short exponents become i32.
    setHasBoundedRewriteRecursion();
  }

  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    Value base = op.getLhs(), exponent = op.getRhs();
    APInt known;
    if (matchPattern(exponent, m_ConstantInt(&known)) &&
        known.isStrictlyPositive() && known.sle(kMaxExponent)) {
      rewriter.replaceOp(op, makeProducts(b, base, known));
      return success();
    }
    Type integer = exponent.getType();
    unsigned width = getElementTypeOrSelf(integer).getIntOrFloatBitWidth();
    if (device && width < 32) {
      Type wide = withElement(integer, rewriter.getI32Type());
      Value extended = arith::ExtSIOp::create(b, wide, exponent);
      rewriter.replaceOpWithNewOp<math::FPowIOp>(op, base, extended,
                                                 op.getFastmath());
      return success();
    }

    // Every exponent of 32 bits is exact in f64, and of a larger one the last
    // bit, which is the sign's, is asked for itself.
    Type wide = withElement(type, rewriter.getF64Type());
    if (wide != type)
      base = arith::ExtFOp::create(b, wide, base);
    Value magnitude = math::AbsFOp::create(b, base);
    Value number = arith::SIToFPOp::create(b, wide, exponent);
    Value power = math::PowFOp::create(b, magnitude, number);
    auto constant = [&](int64_t value) {
      return createScalarOrSplatConstant(b, b.getLoc(), integer, value);
    };
    Value bit = arith::AndIOp::create(b, exponent, constant(1));
    Value isOdd =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, constant(0));
    Value negative = math::CopySignOp::create(b, power, base);
    power = arith::SelectOp::create(b, isOdd, negative, power);
    if (wide != type)
      power = arith::TruncFOp::create(b, type, power);
    rewriter.replaceOp(op, power);
    return success();
  }

private:
  bool device;
};

} // namespace

void stencil::populateIntegerPowers(RewritePatternSet &patterns) {
  patterns.add<ExpandIPowI>(patterns.getContext());
}

void stencil::populatePowers(RewritePatternSet &patterns,
                             ConversionTarget &target, bool device) {
  populateIntegerPowers(patterns);
  patterns.add<ExpandFPowI>(patterns.getContext(), device);
  target.addIllegalOp<math::IPowIOp>();
  target.addDynamicallyLegalOp<math::FPowIOp>([device](math::FPowIOp op) {
    APInt known;
    bool isShort = matchPattern(op.getRhs(), m_ConstantInt(&known)) &&
                   known.isStrictlyPositive() && known.sle(kMaxExponent);
    return device && !isShort && !isa<ShapedType>(op.getType()) &&
           getElementTypeOrSelf(op.getRhs()).isInteger(32);
  });
}
