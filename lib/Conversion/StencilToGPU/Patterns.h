//===- Patterns.h - The parts of stencil-distribute-tiles -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H

#include "KernelSet.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil {

/// Builds the kernel of a tile.kernel, or the kernels of one over a list, and
/// launches them before the op. Fails with an error.
mlir::LogicalResult lowerTileKernel(tile::KernelOp op, KernelSet &kernels);
void lowerListKernel(tile::KernelOp op, KernelSet &kernels);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H
