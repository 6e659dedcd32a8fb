//===- EdgeBranch.h - Blocks with patches, and those without ----*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_EDGEBRANCH_H
#define STENCIL_LIB_TILE_TRANSFORMS_EDGEBRANCH_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// Whether a kernel has patches in a program that is the same for all blocks.
bool hasPatches(KernelOp kernel);

/// Gives blocks at the edge of a boundary the program that is there, and the
/// others one without patches, in the other branch of an scf.if.
void splitAtEdge(KernelOp kernel);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_EDGEBRANCH_H
