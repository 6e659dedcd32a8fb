//===- Patterns.h - The parts of stencil-distribute-tiles -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H

#include "KernelSet.h"

namespace stencil {

/// Brings the bodies of applies within an op to what kernels are made of; fails
/// with an error where one calls a function.
mlir::LogicalResult prepareBodies(mlir::Operation *root);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H
