//===- TiledSchedule.h - Kernels of one tile per block ----------*- C++ -*-===//
//
// What a schedule without windows leaves open, by rules whose numbers are
// measured ones (KernelNumbers.h). They do not need rates of the GPU, hold for
// bodies of any size, and make the kernel that every other one is compared
// with.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_TILEDSCHEDULE_H
#define STENCILDIALECT_ANALYSIS_TILEDSCHEDULE_H

#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// Fills in what `keys` leaves open of `points`, `block`, `launchBounds` and
/// `panel`, for a kernel of the apply that has no windows. `shape`: points per
/// axis, ShapedType::kDynamic where only the run knows. The order stays open.
/// `isOrdered`: the body is behind stencil-order-bodies; else what that is
/// going to make of it is estimated.
void completeTiledSchedule(ApplyOp apply, const TargetInfo &target,
                           llvm::ArrayRef<int64_t> shape, ScheduleKeys &keys,
                           bool isOrdered = false);

/// Points of a thread, and threads of a block, along the row, where rows of
/// `taps` taps are loops over shared windows.
int64_t chooseTapLoopPoints(int64_t taps, const TargetInfo &target);
int64_t chooseTapLoopThreads(int64_t rank, const TargetInfo &target);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_TILEDSCHEDULE_H
