//===- Recursion.h - Functions that call themselves -------------*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_RECURSION_H
#define STENCIL_LIB_ANALYSIS_RECURSION_H

#include "mlir/IR/Operation.h"

namespace stencil {

/// An error at a call by which a function of the module `root` calls itself,
/// if only over others.
mlir::LogicalResult checkRecursion(mlir::Operation *root);

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_RECURSION_H
