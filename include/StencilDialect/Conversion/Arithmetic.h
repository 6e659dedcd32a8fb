//===- Arithmetic.h - Integer arithmetic that folds -------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_ARITHMETIC_H
#define STENCILDIALECT_CONVERSION_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace stencil {

/// Emits arithmetic on coordinates, positions and sizes in one integer type,
/// signed and without overflow. What is constant folds.
class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::Type getType() const { return type; }

  mlir::Value constant(int64_t value) const {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getIntegerAttr(type, value));
  }
  mlir::Value add(mlir::Value a, mlir::Value b) const {
    if (!mayFold(a, b))
      return mlir::arith::AddIOp::create(builder, loc, a, b, kNoWrap);
    return builder.createOrFold<mlir::arith::AddIOp>(loc, a, b, kNoWrap);
  }
  mlir::Value add(mlir::Value a, int64_t b) const {
    return b == 0 ? a : add(a, constant(b));
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) const {
    return builder.createOrFold<mlir::arith::SubIOp>(loc, a, b, kNoWrap);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) const {
    if (!mayFold(a, b))
      return mlir::arith::MulIOp::create(builder, loc, a, b, kNoWrap);
    return builder.createOrFold<mlir::arith::MulIOp>(loc, a, b, kNoWrap);
  }
  mlir::Value mul(mlir::Value a, int64_t b) const {
    return b == 1 ? a : mul(a, constant(b));
  }
  /// Of numbers that are not negative.
  mlir::Value div(mlir::Value a, mlir::Value b) const {
    return builder.createOrFold<mlir::arith::DivUIOp>(loc, a, b);
  }
  mlir::Value rem(mlir::Value a, mlir::Value b) const {
    return builder.createOrFold<mlir::arith::RemUIOp>(loc, a, b);
  }
  mlir::Value ceilDiv(mlir::Value a, int64_t b) const {
    return b == 1 ? a : div(add(a, b - 1), constant(b));
  }
  mlir::Value ceilDiv(mlir::Value a, mlir::Value b) const {
    return div(add(a, sub(b, constant(1))), b);
  }
  mlir::Value alignTo(mlir::Value a, int64_t b) const {
    return mul(ceilDiv(a, b), b);
  }
  mlir::Value min(mlir::Value a, mlir::Value b) const {
    return builder.createOrFold<mlir::arith::MinSIOp>(loc, a, b);
  }
  mlir::Value max(mlir::Value a, mlir::Value b) const {
    return builder.createOrFold<mlir::arith::MaxSIOp>(loc, a, b);
  }
  mlir::Value less(mlir::Value a, mlir::Value b) const {
    return compare(mlir::arith::CmpIPredicate::slt, a, b);
  }
  mlir::Value lessEqual(mlir::Value a, mlir::Value b) const {
    return compare(mlir::arith::CmpIPredicate::sle, a, b);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b) const {
    return builder.createOrFold<mlir::arith::CmpIOp>(loc, predicate, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a,
                     mlir::Value b) const {
    return builder.createOrFold<mlir::arith::SelectOp>(loc, condition, a, b);
  }
  /// Conjunction; a null operand is true.
  mlir::Value both(mlir::Value a, mlir::Value b) const {
    if (!a || !b)
      return a ? a : b;
    return builder.createOrFold<mlir::arith::AndIOp>(loc, a, b);
  }
  /// Disjunction; a null operand is false.
  mlir::Value either(mlir::Value a, mlir::Value b) const {
    if (!a || !b)
      return a ? a : b;
    return builder.createOrFold<mlir::arith::OrIOp>(loc, a, b);
  }

  /// To and from index, and from an integer type of another width.
  mlir::Value toIndex(mlir::Value value) const {
    if (value.getType().isIndex())
      return value;
    return builder.createOrFold<mlir::arith::IndexCastOp>(
        loc, builder.getIndexType(), value);
  }
  mlir::Value fromIndex(mlir::Value value) const {
    if (value.getType() == type)
      return value;
    return builder.createOrFold<mlir::arith::IndexCastOp>(loc, type, value);
  }

  /// The value, if it is a constant.
  static std::optional<int64_t> getConstant(mlir::Value value) {
    llvm::APInt number;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
      return number.getSExtValue();
    return std::nullopt;
  }

private:
  /// False where it is plain that a sum or a product does not fold. To ask the
  /// folders takes as long as to make the op.
  static bool mayFold(mlir::Value a, mlir::Value b) {
    auto isOf = [](mlir::Value value) {
      return value.getDefiningOp<mlir::arith::ConstantOp>() ||
             value.getDefiningOp<mlir::arith::SubIOp>();
    };
    if (isOf(a))
      return true;
    auto constant = b.getDefiningOp<mlir::arith::ConstantOp>();
    if (!constant)
      return isOf(b);
    auto number = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
    return !number || number.getValue().ule(1);
  }

  static constexpr mlir::arith::IntegerOverflowFlags kNoWrap =
      mlir::arith::IntegerOverflowFlags::nsw;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_ARITHMETIC_H
