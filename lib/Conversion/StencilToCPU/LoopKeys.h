//===- LoopKeys.h - What an op says of its loops on a CPU -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPKEYS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPKEYS_H

#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Support/LLVM.h"

namespace stencil {

/// The keys of `#stencil.cpu_loops`, to build one.
struct LoopKeys {
  int64_t lanes = 1, rows = 1, columns = 1, planes = 1, plainPlanes = 1;
  int64_t threads = 0;
  SmallVector<int64_t> tile;
  int64_t alone = 0;
  CPUBlocksAttr blocks;
  int64_t cache = 0, row = 0;
  int64_t prefetch = 0, line = 64;
  int64_t around = 0, aroundRow = 0, aroundLanes = 0;
  int64_t deal = 0;

  CPULoopsAttr get(mlir::MLIRContext *context) const {
    return CPULoopsAttr::get(context, lanes, rows, columns, planes, plainPlanes,
                             threads, tile, alone, blocks, cache, row, prefetch,
                             line, around, aroundRow, aroundLanes, deal);
  }
};

/// The `stencil.cpu_loops` of an op; without it, those of plain loops.
CPULoopsAttr getLoops(Operation *op);
/// The same for an axis of a boundary.
CPULoopsAttr getLoops(BoundaryOp op, int64_t axis);

/// Fails with an error if an op cannot have the loops that it asks for.
LogicalResult checkLoops(Operation *op);

/// Whether the body has a value for each point.
bool storesAllPoints(ApplyOp op);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPKEYS_H
