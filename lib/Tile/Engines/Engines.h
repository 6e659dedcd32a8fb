//===- Engines.h - The engines of the dialect -------------------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_ENGINES_ENGINES_H
#define STENCIL_LIB_TILE_ENGINES_ENGINES_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// Give the attributes their models of the interface.
void attachFma(mlir::MLIRContext *context);
void attachLanes(mlir::MLIRContext *context);
void attachMma(mlir::MLIRContext *context);
void attachTaps(mlir::MLIRContext *context);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_ENGINES_ENGINES_H
