//===- IntegerPowers.h - Powers of integers ---------------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_INTEGERPOWERS_H
#define STENCILDIALECT_CONVERSION_INTEGERPOWERS_H

#include "mlir/IR/PatternMatch.h"

namespace stencil {

/// Patterns that make products of `math.ipowi`: of its squares, or where the
/// exponent is not known, in a loop over the exponent's bits.
void populateIntegerPowers(mlir::RewritePatternSet &patterns);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_INTEGERPOWERS_H
