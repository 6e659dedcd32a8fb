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
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// `type`, of a scalar or a vector, with other elements.
static Type withElement(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

static Value makeConstant(OpBuilder &builder, Location loc, Type type,
                          const APInt &value) {
  Attribute number = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  auto shaped = dyn_cast<ShapedType>(type);
  return arith::ConstantOp::create(
      builder, loc,
      shaped ? cast<TypedAttr>(DenseElementsAttr::get(shaped, number))
             : cast<TypedAttr>(number));
}

/// The product of two numbers of the same type.
static Value multiply(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a)))
    return arith::MulFOp::create(builder, loc, a, b);
  return arith::MulIOp::create(builder, loc, a, b);
}

/// `base` to the power of `exponent`, which is not zero, by squares.
static Value makeProducts(OpBuilder &builder, Location loc, Value base,
                          APInt exponent) {
  Value power;
  for (Value square = base;;) {
    if (exponent[0])
      power = power ? multiply(builder, loc, power, square) : square;
    exponent.lshrInPlace(1);
    if (exponent.isZero())
      return power;
    square = multiply(builder, loc, square, square);
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
    Location loc = op.getLoc();
    Type type = op.getType();
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    // 1 is no number of i1, which has 0 and -1.
    if (width == 1) {
      Type wide = withElement(type, rewriter.getI8Type());
      Value base = arith::ExtSIOp::create(rewriter, loc, wide, op.getLhs());
      Value exponent = arith::ExtSIOp::create(rewriter, loc, wide, op.getRhs());
      Value power = math::IPowIOp::create(rewriter, loc, base, exponent);
      rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, power);
      return success();
    }
    auto constant = [&](const APInt &value) {
      return makeConstant(rewriter, loc, type, value);
    };
    Value zero = constant(APInt::getZero(width));
    Value one = constant(APInt(width, 1));
    Value base = op.getLhs(), exponent = op.getRhs();
    APInt known;
    if (matchPattern(exponent, m_ConstantInt(&known)) && known.isZero()) {
      rewriter.replaceOp(op, one);
      return success();
    }
    if (matchPattern(exponent, m_ConstantInt(&known)) &&
        known.isStrictlyPositive()) {
      rewriter.replaceOp(op, makeProducts(rewriter, loc, base, known));
      return success();
    }

    Value isNegative = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, exponent, zero);
    Value next = arith::AddIOp::create(rewriter, loc, base, one);
    Value isUnit =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ule, next,
                              constant(APInt(width, 2)));
    Value inverse = arith::SelectOp::create(rewriter, loc, isUnit, base, zero);
    base = arith::SelectOp::create(rewriter, loc, isNegative, inverse, base);
    Value opposite = arith::SubIOp::create(rewriter, loc, zero, exponent);
    exponent =
        arith::SelectOp::create(rewriter, loc, isNegative, opposite, exponent);

    // Power so far, square, exponent that is left.
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    auto loop = scf::ForOp::create(rewriter, loc, index(0), index(width),
                                   index(1), ValueRange{one, base, exponent});
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(loop.getBody());
      Value power = loop.getRegionIterArg(0), square = loop.getRegionIterArg(1),
            left = loop.getRegionIterArg(2);
      Value bit = arith::AndIOp::create(rewriter, loc, left, one);
      Value isSet = arith::CmpIOp::create(rewriter, loc,
                                          arith::CmpIPredicate::ne, bit, zero);
      Value product = arith::MulIOp::create(rewriter, loc, power, square);
      power = arith::SelectOp::create(rewriter, loc, isSet, product, power);
      square = arith::MulIOp::create(rewriter, loc, square, square);
      left = arith::ShRUIOp::create(rewriter, loc, left, one);
      scf::YieldOp::create(rewriter, loc, ValueRange{power, square, left});
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
    Location loc = op.getLoc();
    Type type = op.getType();
    Value base = op.getLhs(), exponent = op.getRhs();
    APInt known;
    if (matchPattern(exponent, m_ConstantInt(&known)) &&
        known.isStrictlyPositive() && known.sle(kMaxExponent)) {
      rewriter.replaceOp(op, makeProducts(rewriter, loc, base, known));
      return success();
    }
    Type integer = exponent.getType();
    unsigned width = getElementTypeOrSelf(integer).getIntOrFloatBitWidth();
    if (device && width < 32) {
      Type wide = withElement(integer, rewriter.getI32Type());
      Value extended = arith::ExtSIOp::create(rewriter, loc, wide, exponent);
      rewriter.replaceOpWithNewOp<math::FPowIOp>(op, base, extended,
                                                 op.getFastmath());
      return success();
    }

    // Every exponent of 32 bits is exact in f64, and of a larger one the last
    // bit, which is the sign's, is asked for itself.
    Type wide = withElement(type, rewriter.getF64Type());
    if (wide != type)
      base = arith::ExtFOp::create(rewriter, loc, wide, base);
    Value magnitude = math::AbsFOp::create(rewriter, loc, base);
    Value number = arith::SIToFPOp::create(rewriter, loc, wide, exponent);
    Value power = math::PowFOp::create(rewriter, loc, magnitude, number);
    Value bit = arith::AndIOp::create(
        rewriter, loc, exponent,
        makeConstant(rewriter, loc, integer, APInt(width, 1)));
    Value isOdd = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ne, bit,
        makeConstant(rewriter, loc, integer, APInt::getZero(width)));
    Value negative = math::CopySignOp::create(rewriter, loc, power, base);
    power = arith::SelectOp::create(rewriter, loc, isOdd, negative, power);
    if (wide != type)
      power = arith::TruncFOp::create(rewriter, loc, type, power);
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
