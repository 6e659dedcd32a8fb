//===- TilePlane.h - The plane that a stage is for --------------*- C++ -*-===//

#ifndef STENCILDIALECT_TILE_TILEPLANE_H
#define STENCILDIALECT_TILE_TILEPLANE_H

#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Support/LLVM.h"

namespace stencil::tile {

/// On a stage (`stencil.apply`): the number of the argument that is the
/// coordinate of plane p, for one that asks for coordinates and has no source.
constexpr llvm::StringLiteral kPlaneAttrName = "tile.plane";

/// The coordinate of plane p that a stage is told; null if it is not.
Value getPlaneOf(ApplyOp stage);

/// Whether the results of a stage depend on where its points are, and not only
/// on what is read there.
bool usesCoordinates(ApplyOp stage);

/// In a kernel with a relay: planes between those of one leg and those of the
/// next one. 0 without.
int64_t getLag(Operation *kernel);

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_TILEPLANE_H
