//===- RowPrefetch.h - What the next tile reads first -----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_ROWPREFETCH_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_ROWPREFETCH_H

#include "Window.h"

namespace stencil {

/// A field, and how far ahead of a point it is read.
using ReadAhead = std::pair<const KernelField *, int64_t>;

/// If there is a next tile along `axis`, asks the second-level cache for the
/// farthest rows that it reads there, line by line: of each line, the thread
/// whose point is the first one. `base` is the thread's first point.
void prefetchNextTile(KernelBuilder &kernel, const BlockGrid &grid,
                      mlir::Location loc, const BasePoint &base, int64_t axis,
                      llvm::ArrayRef<ReadAhead> reads);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_ROWPREFETCH_H
