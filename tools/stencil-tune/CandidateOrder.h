//===- CandidateOrder.h - In which order schedules are tried ----*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_CANDIDATEORDER_H
#define STENCIL_TOOLS_STENCIL_TUNE_CANDIDATEORDER_H

#include "StencilDialect/Analysis/ScheduleModel.h"

namespace stencil {

/// Schedules that the cost model takes for so many times slower than the best
/// are not tried.
inline constexpr double kHopeless = 3;

/// Most of `ranked`, which is in the order of the model, so that variants of a
/// tile do not come one after the other: of schedules with the same tile,
/// points and accumulation each counts as a little slower than those before,
/// with other stages by less than with the same ones.
std::vector<ScheduleAttr> orderByVariety(llvm::ArrayRef<RankedSchedule> ranked);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_CANDIDATEORDER_H
