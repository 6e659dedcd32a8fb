//===- FillMultiprocessors.h - Blocks for all multiprocessors ---*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_FILLMULTIPROCESSORS_H
#define STENCIL_LIB_TRANSFORMS_FILLMULTIPROCESSORS_H

#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// A schedule that was chosen, where blocks would leave multiprocessors without
/// work, with other numbers: of blocks at once, stages, segments, or threads.
/// For GPUs of which that was measured; docs/notebook.md has what, "Blocks for
/// all multiprocessors".
ScheduleAttr fillMultiprocessors(ApplyOp apply, const KernelProfile &profile,
                                 ScheduleAttr schedule,
                                 const TargetInfo &target);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_FILLMULTIPROCESSORS_H
