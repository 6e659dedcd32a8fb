//===- MeasuredForm.h - Walks as they were measured best --------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_MEASUREDFORM_H
#define STENCILDIALECT_LIB_TRANSFORMS_MEASUREDFORM_H

#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// The model knows to a few per cent how fast a walk is, and the best ones lie
/// within these. Of large volumes they were measured, with TMA on an H200
/// (docs/benchmarks.md, "Rolling windows"): returns that form of `chosen`, what
/// the model has chosen, with what tile-registers chooses alike left open. Null
/// if none was measured. What is no walk has such a form only where walks were
/// measured to be faster than the model takes them to be.
/// `isAnyWalk`: nothing was chosen, and what can be a walk is one.
ScheduleAttr getMeasuredForm(ScheduleAttr chosen, const KernelProfile &profile,
                             const TargetInfo &target, bool isAnyWalk);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_MEASUREDFORM_H
