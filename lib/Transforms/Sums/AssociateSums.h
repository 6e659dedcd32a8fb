//===- AssociateSums.h - Sums in the order of their terms -------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_ASSOCIATESUMS_H
#define STENCIL_LIB_TRANSFORMS_ASSOCIATESUMS_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Associates sums of the body whose terms come from several inputs anew, so
/// that each term is added when it is there, in the order in which the body is
/// written. Adds are left where the sums are. True if any sum has changed.
bool associateSums(ApplyOp apply, MathMode mode);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_ASSOCIATESUMS_H
