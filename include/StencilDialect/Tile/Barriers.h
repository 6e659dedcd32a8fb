//===- Barriers.h - Whether threads meet often enough -----------*- C++ -*-===//

#ifndef STENCILDIALECT_TILE_BARRIERS_H
#define STENCILDIALECT_TILE_BARRIERS_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// Fails with an error where a tile.barrier is missing in a kernel that does
/// not walk, or whose walk is not expanded yet (stencil-place-barriers).
LogicalResult verifyBarriers(KernelOp kernel);

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_BARRIERS_H
