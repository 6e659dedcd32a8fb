//===- MeasuredRegion.h - Regions as they were measured best ----*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_MEASUREDREGION_H
#define STENCILDIALECT_LIB_TRANSFORMS_MEASUREDREGION_H

#include "FormBook.h"
#include "StencilDialect/Analysis/KernelProfile.h"

namespace stencil {

/// How regions like this one were measured best: the interior of a
/// wave in single precision, which is updated in place, and the layers around
/// it, thin along one axis, whose bodies read more fields. Null if none like
/// it was. Regions beside it can be launched at the same time: where a window
/// holds what they store to, its tiles end where the region does.
FormSchedule getMeasuredRegion(ApplyOp apply, const KernelProfile &profile,
                               const TargetInfo &target, const FormBook &forms);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_MEASUREDREGION_H
