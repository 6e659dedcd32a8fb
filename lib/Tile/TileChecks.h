//===- TileChecks.h - Rules that concern a whole kernel ---------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TILECHECKS_H
#define STENCIL_LIB_TILE_TILECHECKS_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// Fails with an error where a walk reads a plane that is not in its ring yet,
/// or not any more.
mlir::LogicalResult verifyPlanes(WalkOp walk);

/// The same without a walk: where a ring is read that has not been filled.
mlir::LogicalResult verifyFilled(KernelOp kernel);

/// Fails with an error where a field that the kernel stores to is read
/// otherwise than at the point that is stored.
mlir::LogicalResult verifyStored(KernelOp kernel);

/// Fails with an error where a kernel over a list has what is for boxes, or
/// stores to a point twice or where it is read.
mlir::LogicalResult verifyListed(KernelOp kernel);

/// Fails with an error where a stage reads of values, not memory, what other
/// threads hold.
mlir::LogicalResult verifyOwnPoints(ApplyOp stage, KernelOp kernel);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TILECHECKS_H
