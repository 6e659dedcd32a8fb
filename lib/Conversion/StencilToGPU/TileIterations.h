//===- TileIterations.h - Which iteration a plane is of ---------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEITERATIONS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEITERATIONS_H

#include "mlir/IR/Value.h"

namespace stencil {

/// Whether a plane is known to be that of an iteration, counted from 0: the
/// first, or one of a loop.
bool isIteration(mlir::Value plane);

/// Whether the plane of an iteration is known to belong to the segment: the
/// loop begins behind the iterations before it.
bool isBehindLookback(mlir::Value plane, int64_t lookback);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEITERATIONS_H
