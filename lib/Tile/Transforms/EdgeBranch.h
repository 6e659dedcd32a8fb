//===- EdgeBranch.h - Blocks with patches, and those without ----*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_EDGEBRANCH_H
#define STENCIL_LIB_TILE_TRANSFORMS_EDGEBRANCH_H

#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil::tile {

/// Whether a kernel has patches in a program that is the same for all blocks.
bool hasPatches(KernelOp kernel);

/// Gives blocks at the edge of a boundary the program that is there, and the
/// others one without patches, in the other branch of an scf.if.
void splitAtEdge(KernelOp kernel);

/// Gives blocks that are not in a box as a whole, along the axes that are not
/// walked, the program of the kernel, and the others a copy in the other branch
/// of an scf.if. Returns that; null if all blocks may be in the box.
mlir::scf::IfOp splitAtBox(KernelOp kernel, BoundsAttr box);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_EDGEBRANCH_H
