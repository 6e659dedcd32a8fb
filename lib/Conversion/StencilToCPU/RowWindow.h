//===- RowWindow.h - What a walk along planes keeps in a cache --*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_ROWWINDOW_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_ROWWINDOW_H

#include "LoopNest.h"
#include "StencilDialect/IR/CPULoops.h"

namespace stencil {

/// The rows that a volume's apply reads and writes at one plane while it walks
/// along the third axis from the last. A row that it reads at the front of the
/// window is read again at each plane behind: from a core's own cache, if that
/// holds the window. Sizes are in bytes per element of a row.
struct RowWindow {
  /// The window of an apply over fields of rank 3 or more; nothing if its
  /// planes are independent.
  static std::optional<RowWindow> measure(ApplyOp op);

  /// What each row of a block adds, and its neighbours outside of the block.
  int64_t perRow = 0, halo = 0;
  /// Planes of the window beside the one that is computed.
  int64_t depth = 0;
};

/// Replaces the tile's sizes along the planes and along the rows by blocks
/// whose window fits the cache, if it does not for whole planes and a block of
/// some rows does. `units` divide the sizes. All this is computed when the
/// program runs, and folds where extents are static.
void blockRows(LoopBuilder &b, const LoopBox &box, CPUBlocksAttr blocks,
               llvm::ArrayRef<int64_t> units,
               llvm::SmallVectorImpl<mlir::Value> &tile);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_ROWWINDOW_H
