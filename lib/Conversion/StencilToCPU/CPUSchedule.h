//===- CPUSchedule.h - Shape of an apply's loops on a CPU ---------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_CPUSCHEDULE_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_CPUSCHEDULE_H

#include "RowWindow.h"

namespace stencil {

/// What a nest of loops for an apply looks like.
struct CPUSchedule {
  /// Points per vector along the last axis; 1: no vectors.
  int64_t lanes = 1;
  /// Rows (along the axis before the last) that are computed together.
  int64_t rows = 1;
  /// Vectors of a row that are computed together.
  int64_t columns = 1;
  /// Outputs beyond the cache are written around it, row by row. If `rows` is
  /// more than one, it is for the others.
  bool streams = false;
  /// Elements of the shortest row that is.
  int64_t streamedRow = 0;
  /// Tile per axis; 0: the whole axis.
  llvm::SmallVector<int64_t> tile;
  /// Of a volume: its window, for whose rows the tile is chosen when the
  /// program runs; `tile` is what it is where no block pays.
  std::optional<RowWindow> window;
  /// Distribute the tiles over threads.
  bool parallel = true;
  /// Whether there are too few points for that is seen when the program runs.
  bool joinsTiles = false;
};

/// Chooses the shape for a bufferised apply; what `options` fix is obeyed.
CPUSchedule chooseCPUSchedule(ApplyOp op, const CPULoweringOptions &options);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_CPUSCHEDULE_H
