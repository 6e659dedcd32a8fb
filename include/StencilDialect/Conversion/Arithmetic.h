//===- Arithmetic.h - Integer arithmetic that folds -------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_ARITHMETIC_H
#define STENCILDIALECT_CONVERSION_ARITHMETIC_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace stencil {

/// Emits arithmetic on coordinates, positions and sizes in one integer type,
/// signed and without overflow. What is constant folds.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  Type getType() const { return type; }

  Value constant(int64_t value) const {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getIntegerAttr(type, value));
  }
  Value add(Value a, Value b) const {
    if (!mayFold(a, b))
      return mlir::arith::AddIOp::create(builder, loc, a, b, kNoWrap);
    return builder.createOrFold<mlir::arith::AddIOp>(loc, a, b, kNoWrap);
  }
  Value add(Value a, int64_t b) const {
    return b == 0 ? a : add(a, constant(b));
  }
  Value sub(Value a, Value b) const {
    return builder.createOrFold<mlir::arith::SubIOp>(loc, a, b, kNoWrap);
  }
  Value mul(Value a, Value b) const {
    if (!mayFold(a, b))
      return mlir::arith::MulIOp::create(builder, loc, a, b, kNoWrap);
    return builder.createOrFold<mlir::arith::MulIOp>(loc, a, b, kNoWrap);
  }
  Value mul(Value a, int64_t b) const {
    return b == 1 ? a : mul(a, constant(b));
  }
  /// Of numbers that are not negative.
  Value div(Value a, Value b) const {
    return builder.createOrFold<mlir::arith::DivUIOp>(loc, a, b);
  }
  Value div(Value a, int64_t b) const { return div(a, constant(b)); }
  Value rem(Value a, Value b) const {
    return builder.createOrFold<mlir::arith::RemUIOp>(loc, a, b);
  }
  Value rem(Value a, int64_t b) const { return rem(a, constant(b)); }
  Value ceilDiv(Value a, int64_t b) const {
    return b == 1 ? a : div(add(a, b - 1), constant(b));
  }
  Value ceilDiv(Value a, Value b) const {
    return div(add(a, sub(b, constant(1))), b);
  }
  Value alignTo(Value a, int64_t b) const { return mul(ceilDiv(a, b), b); }
  Value min(Value a, Value b) const {
    return builder.createOrFold<mlir::arith::MinSIOp>(loc, a, b);
  }
  Value max(Value a, Value b) const {
    return builder.createOrFold<mlir::arith::MaxSIOp>(loc, a, b);
  }
  Value less(Value a, Value b) const {
    return compare(mlir::arith::CmpIPredicate::slt, a, b);
  }
  Value less(Value a, int64_t b) const { return less(a, constant(b)); }
  Value lessEqual(Value a, Value b) const {
    return compare(mlir::arith::CmpIPredicate::sle, a, b);
  }
  Value lessEqual(int64_t a, Value b) const {
    return lessEqual(constant(a), b);
  }
  Value equal(Value a, int64_t b) const {
    return compare(mlir::arith::CmpIPredicate::eq, a, constant(b));
  }
  /// Whether a number is one from `first` to before `end`, where `condition`
  /// holds; null: always.
  template <typename Number>
  Value isWithin(Value value, Number first, Number end,
                 Value condition = {}) const {
    Value isBehind = both(condition, lessEqual(first, value));
    return both(isBehind, less(value, end));
  }
  /// As a comparison and a selection, of which others may be made.
  Value smaller(Value a, Value b) const { return select(less(a, b), a, b); }
  Value larger(Value a, Value b) const { return select(less(a, b), b, a); }
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b) const {
    return builder.createOrFold<mlir::arith::CmpIOp>(loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) const {
    return builder.createOrFold<mlir::arith::SelectOp>(loc, condition, a, b);
  }
  /// Conjunction; a null operand is true.
  Value both(Value a, Value b) const {
    if (!a || !b)
      return a ? a : b;
    return builder.createOrFold<mlir::arith::AndIOp>(loc, a, b);
  }
  /// Disjunction; a null operand is false.
  Value either(Value a, Value b) const {
    if (!a || !b)
      return a ? a : b;
    return builder.createOrFold<mlir::arith::OrIOp>(loc, a, b);
  }

  /// To and from index, and from an integer type of another width.
  Value toIndex(Value value) const {
    if (value.getType().isIndex())
      return value;
    return builder.createOrFold<mlir::arith::IndexCastOp>(
        loc, builder.getIndexType(), value);
  }
  Value fromIndex(Value value) const {
    if (value.getType() == type)
      return value;
    return builder.createOrFold<mlir::arith::IndexCastOp>(loc, type, value);
  }

  /// The value, if it is a constant.
  static std::optional<int64_t> getConstant(Value value) {
    llvm::APInt number;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
      return number.getSExtValue();
    return std::nullopt;
  }

private:
  /// False where it is plain that a sum or a product does not fold. To ask the
  /// folders takes as long as to make the op.
  static bool mayFold(Value a, Value b) {
    auto isOf = [](Value value) {
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

  OpBuilder &builder;
  Location loc;
  Type type;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_ARITHMETIC_H
