//===- RegionCandidates.h - In which order regions are tuned ----*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_REGIONCANDIDATES_H
#define STENCIL_TOOLS_STENCIL_TUNE_REGIONCANDIDATES_H

#include "StencilDialect/Analysis/ScheduleModel.h"

namespace stencil {

/// True for a region of a sweep: others are launched with it.
bool isRegion(ApplyOp apply);

/// The schedule without windows of what is stored to in place if their tiles
/// would reach beyond the region; null if none of it is left.
ScheduleAttr keepInside(ApplyOp apply, const KernelProfile &profile,
                        ScheduleAttr schedule);

/// What is tried of a region after `untuned`, the most promising first:
/// `close`, the neighbours of `untuned`; then `ranked`, of which tiles and
/// walks take turns, two of the kind of `untuned` for each of the other. The
/// model compares schedules of a kind, but not the kinds, where something else
/// runs beside the region. Windows of what is stored to in place are left out
/// where their tiles would reach beyond the region.
std::vector<ScheduleAttr>
orderRegionCandidates(ApplyOp apply, ScheduleAttr untuned,
                      llvm::ArrayRef<ScheduleAttr> close,
                      const KernelProfile &profile, const TargetInfo &target,
                      llvm::ArrayRef<RankedSchedule> ranked);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_REGIONCANDIDATES_H
