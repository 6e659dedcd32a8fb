//===- TileIterations.h - Which iteration a plane is of ---------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEITERATIONS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEITERATIONS_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil {

/// Whether a plane is known to be that of an iteration, counted from 0: the
/// first, or one of a loop.
bool isIteration(mlir::Value plane);

/// Whether the plane of an iteration is known to belong to the segment: the
/// loop begins behind the iterations before it.
bool isBehindLookback(mlir::Value plane, int64_t lookback);

/// The newest plane of a ring that an iteration waits for; none without waits.
std::optional<int64_t> getAwaited(mlir::Value ring);

/// How many iterations after its own one the plane of a copy is waited for; 0
/// without waits.
int64_t countUntilAwaited(tile::CopyOp copy);

/// The first plane of the first iteration that is copied to a ring: what comes
/// before the loops is of that one.
int64_t findFirstPlane(tile::RingOp ring);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEITERATIONS_H
