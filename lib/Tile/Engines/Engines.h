//===- Engines.h - The engines of the dialect -------------------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_ENGINES_ENGINES_H
#define STENCIL_LIB_TILE_ENGINES_ENGINES_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// Give the attributes their models of the interface.
void attachFma(MLIRContext *context);
void attachLanes(MLIRContext *context);
void attachMma(MLIRContext *context);
void attachTaps(MLIRContext *context);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_ENGINES_ENGINES_H
