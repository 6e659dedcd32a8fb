//===- ScalarMath.h - Patterns of stencil-lower-scalar-math -----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_SCALARMATH_SCALARMATH_H
#define STENCIL_LIB_CONVERSION_SCALARMATH_SCALARMATH_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"

namespace stencil {

/// Whether it is bf16, or a vector of it.
inline bool isBFloat(Type type) {
  return mlir::getElementTypeOrSelf(type).isBF16();
}

/// `type`, of a scalar or a vector, with other elements.
inline Type withElement(Type type, Type element) {
  auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

/// Powers with integer exponents (Powers.cpp), and which of them are illegal.
/// A `device` has a function for floats with exponents of 32 bits.
void populatePowers(mlir::RewritePatternSet &patterns,
                    mlir::ConversionTarget &target, bool device);

/// Arithmetic on bf16 (BFloats.cpp), done in f32 and rounded once, and which of
/// it is illegal; of arith.truncf the caller says that.
void populateBFloats(mlir::RewritePatternSet &patterns,
                     mlir::ConversionTarget &target);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_SCALARMATH_SCALARMATH_H
