//===- ExpandWeightedSums.h - Weighted sums to arithmetic -------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_EXPANDWEIGHTEDSUMS_H
#define STENCILDIALECT_LIB_TRANSFORMS_EXPANDWEIGHTEDSUMS_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Writes the body of an apply anew, without weighted sums, if it has any: see
/// `stencil-expand-weighted-sums`. Fails with an error at a sum.
mlir::LogicalResult expandWeightedSums(ApplyOp apply);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_EXPANDWEIGHTEDSUMS_H
