//===- TileNumbers.h - Numbers and cursors of a kernel ----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILENUMBERS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILENUMBERS_H

#include "TileBlock.h"

namespace stencil {

/// Emits an op on numbers.
mlir::LogicalResult emitNumber(TileBlock &block, mlir::Operation *op);

void emitCursor(TileBlock &block, tile::CursorOp cursor);
void emitAdvance(TileBlock &block, tile::AdvanceOp advance);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILENUMBERS_H
