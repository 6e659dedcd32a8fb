//===- FoldMath.cpp - The arithmetic of stencil.fold ----------------------===//

#include "StencilDialect/Conversion/FoldMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stencil;

Folder::Folder(FoldOp op, bool wide)
    : Folder(op.getLoc(), op.getKind(), getElementType(op.getTemps().front()),
             op.getTemps().size(), wide) {}

Folder::Folder(Location loc, FoldKind kind, Type elementType, size_t operands,
               bool wide)
    : loc(loc), kind(kind), isVector(operands > 1),
      isFloat(isa<FloatType>(elementType)), accumulator(elementType) {
  Builder builder(elementType.getContext());
  if (isFloat)
    accumulator = builder.getF64Type();
  else if (wide)
    accumulator = builder.getI64Type();
}

Value Folder::getIdentity(OpBuilder &builder) const {
  using Kind = arith::AtomicRMWKind;
  Kind of = isFloat ? Kind::addf : Kind::addi;
  if (kind == FoldKind::Max)
    of = isFloat ? Kind::maximumf : Kind::maxs;
  else if (kind == FoldKind::Min)
    of = isFloat ? Kind::minimumf : Kind::mins;
  return arith::getIdentityValue(of, accumulator, builder, loc);
}

Value Folder::widen(OpBuilder &builder, Value value) const {
  if (getElementTypeOrSelf(value) == accumulator)
    return value;
  Type type = accumulator;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(accumulator);
  if (!isFloat)
    return arith::ExtSIOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, type, value);
}

Value Folder::getTerm(OpBuilder &builder, ArrayRef<Value> values) const {
  if (!isVector && kind != FoldKind::Rms)
    return widen(builder, values.front());
  // The square of the value or of the vector's length.
  Value square;
  for (Value value : values) {
    Value wide = widen(builder, value);
    Value product = arith::MulFOp::create(builder, loc, wide, wide);
    square =
        square
            ? arith::AddFOp::create(builder, loc, square, product).getResult()
            : product;
  }
  // Roots are monotonic: an extremum takes its root at the end.
  return kind == FoldKind::Sum
             ? math::SqrtOp::create(builder, loc, square).getResult()
             : square;
}

Value Folder::combine(OpBuilder &builder, Value a, Value b) const {
  return vector::makeArithReduction(builder, loc, getCombiningKind(), a, b);
}

vector::CombiningKind Folder::getCombiningKind() const {
  using Kind = vector::CombiningKind;
  if (isSum())
    return Kind::ADD;
  if (kind == FoldKind::Max)
    return isFloat ? Kind::MAXIMUMF : Kind::MAXSI;
  return isFloat ? Kind::MINIMUMF : Kind::MINSI;
}

Value Folder::finish(OpBuilder &builder, Value folded, Value count,
                     Type type) const {
  if (kind == FoldKind::Rms) {
    Value integer =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), count);
    Value number = arith::SIToFPOp::create(builder, loc, accumulator, integer);
    folded = arith::DivFOp::create(builder, loc, folded, number);
  }
  bool isSquare = kind == FoldKind::Rms || (isVector && kind != FoldKind::Sum);
  if (isSquare)
    folded = math::SqrtOp::create(builder, loc, folded);
  if (folded.getType() == type)
    return folded;
  if (isFloat)
    return arith::TruncFOp::create(builder, loc, type, folded);
  return arith::TruncIOp::create(builder, loc, type, folded);
}
