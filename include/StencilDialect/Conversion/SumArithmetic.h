//===- SumArithmetic.h - Arithmetic of sums of one type ---------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_SUMARITHMETIC_H
#define STENCILDIALECT_CONVERSION_SUMARITHMETIC_H

#include "StencilDialect/Conversion/FusedProducts.h"
#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

namespace stencil {

/// Emits arithmetic on floats with the flags given, or on integers; of vectors,
/// element by element.
class SumArithmetic {
public:
  SumArithmetic(OpBuilder &builder, Location loc, Type type,
                mlir::arith::FastMathFlags flags)
      : builder(builder), loc(loc), flags(flags),
        isFloat(mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(type))) {}

  Value add(Value a, Value b) {
    if (isFloat)
      return mlir::arith::AddFOp::create(builder, loc, a, b, flags);
    return mlir::arith::AddIOp::create(builder, loc, a, b);
  }
  Value subtract(Value a, Value b) {
    if (isFloat)
      return mlir::arith::SubFOp::create(builder, loc, a, b, flags);
    return mlir::arith::SubIOp::create(builder, loc, a, b);
  }
  /// a * b + sum, rounded once if that is allowed.
  Value addProduct(Value sum, Value a, Value b) {
    if (hasFusedProducts(sum.getType()) &&
        mlir::arith::bitEnumContainsAll(flags,
                                        mlir::arith::FastMathFlags::contract))
      return createFusedProduct(builder, loc, a, b, sum);
    return add(sum, multiply(a, b));
  }
  Value multiply(Value a, Value b) {
    if (isFloat)
      return mlir::arith::MulFOp::create(builder, loc, a, b, flags);
    return mlir::arith::MulIOp::create(builder, loc, a, b);
  }

protected:
  OpBuilder &builder;
  Location loc;
  mlir::arith::FastMathFlags flags;
  bool isFloat;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_SUMARITHMETIC_H
