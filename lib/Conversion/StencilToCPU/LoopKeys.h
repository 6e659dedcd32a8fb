//===- LoopKeys.h - What an op says of its loops on a CPU -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPKEYS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPKEYS_H

#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// The `stencil.cpu_loops` of an op; without it, those of plain loops.
CPULoopsAttr getLoops(mlir::Operation *op);
/// The same for an axis of a boundary.
CPULoopsAttr getLoops(BoundaryOp op, int64_t axis);

/// Fails with an error if an op cannot have the loops that it asks for.
mlir::LogicalResult checkLoops(mlir::Operation *op);

/// Whether the body has a value for each point.
bool storesAllPoints(ApplyOp op);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPKEYS_H
