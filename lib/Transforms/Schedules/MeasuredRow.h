//===- MeasuredRow.h - Tiles of rows as they were measured best -*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_MEASUREDROW_H
#define STENCIL_LIB_TRANSFORMS_MEASUREDROW_H

#include "StencilDialect/Analysis/ScheduleModel.h"

namespace stencil {

/// The tile of a row of sums over a shared window: threads of a block and
/// points of each, 0 if stencil-tile-registers chooses them.
struct RowTile {
  int64_t fewestTaps, threads, points;
};

/// That of the longest sum of a body, whose taps `longest` gets; null if there
/// is none.
const RowTile *findRowTile(ApplyOp apply, int64_t &longest);

/// What loops over the taps of a row take.
SchedulePrediction predictTapLoops(const KernelProfile &profile, int64_t taps,
                                   const TargetInfo &target);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_MEASUREDROW_H
