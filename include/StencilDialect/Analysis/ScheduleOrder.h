//===- ScheduleOrder.h - In which order schedules are tried -----*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_SCHEDULEORDER_H
#define STENCILDIALECT_ANALYSIS_SCHEDULEORDER_H

#include "StencilDialect/Analysis/ScheduleModel.h"

namespace stencil {

/// Schedules that the cost model takes for so many times slower than the best
/// are not tried.
inline constexpr double kHopeless = 3;

/// Most of `ranked`, which is in the order of the model, so that variants of a
/// tile do not come one after the other: of schedules with the same tile,
/// points and accumulation each counts as a little slower than those before,
/// with other stages by less than with the same ones. `kind`: by which part of
/// its time each counts as slower than those before it of its kind, which are
/// walks or tiles with the same windows and accumulation: for a short list, in
/// which all kinds that are close are to be found.
std::vector<ScheduleAttr> orderByVariety(llvm::ArrayRef<RankedSchedule> ranked,
                                         double kind = 0);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SCHEDULEORDER_H
