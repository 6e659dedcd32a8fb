//===- ListKernel.h - Kernels over lists to threads -------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_LISTKERNEL_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_LISTKERNEL_H

#include "KernelSet.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil {

/// Builds the kernels of a tile.kernel over a list and launches them before the
/// op.
void lowerListKernel(tile::KernelOp op, KernelSet &kernels);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_LISTKERNEL_H
