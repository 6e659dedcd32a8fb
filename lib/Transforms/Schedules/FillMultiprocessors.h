//===- FillMultiprocessors.h - Blocks for all multiprocessors ---*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_FILLMULTIPROCESSORS_H
#define STENCIL_LIB_TRANSFORMS_FILLMULTIPROCESSORS_H

#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// A schedule that was chosen, where blocks would leave multiprocessors of an
/// NVIDIA GPU without work, with other numbers: of blocks at once, stages,
/// segments, or threads. What was measured of each is in docs/notebook.md,
/// "Blocks for all multiprocessors".
ScheduleAttr fillMultiprocessors(ApplyOp apply, const KernelProfile &profile,
                                 ScheduleAttr schedule,
                                 const TargetInfo &target);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_FILLMULTIPROCESSORS_H
