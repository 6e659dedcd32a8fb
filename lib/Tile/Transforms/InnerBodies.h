//===- InnerBodies.h - Bodies at points of which more is known --*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_INNERBODIES_H
#define STENCIL_LIB_TILE_TRANSFORMS_INNERBODIES_H

#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// A box with all points that a kernel may have a coordinate for.
GridBox makeOpenBox(int64_t rank);

/// Stages within an op choose nothing by coordinates that is the same at all
/// points of a box.
void decideWithin(mlir::Operation *op, const GridBox &box);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_INNERBODIES_H
