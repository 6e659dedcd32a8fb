//===- MeasuredRow.h - Tiles of rows as they were measured best -*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_MEASUREDROW_H
#define STENCIL_LIB_TRANSFORMS_MEASUREDROW_H

#include "FormBook.h"
#include "StencilDialect/Analysis/ScheduleModel.h"

namespace stencil {

/// The form of the longest sum of a row, whose taps `longest` gets: threads of
/// a block and points of each, or nothing where stencil-tile-registers chooses
/// them. None if no sum is long.
FoundForm findRowForm(ApplyOp apply, const TargetInfo &target,
                      const FormBook &forms, int64_t &longest);

/// What loops over the taps of a row take.
SchedulePrediction predictTapLoops(const KernelProfile &profile, int64_t taps,
                                   const TargetInfo &target);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_MEASUREDROW_H
