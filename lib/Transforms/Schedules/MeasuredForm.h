//===- MeasuredForm.h - Walks as they were measured best --------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_MEASUREDFORM_H
#define STENCILDIALECT_LIB_TRANSFORMS_MEASUREDFORM_H

#include "FormBook.h"
#include "StencilDialect/Analysis/KernelProfile.h"

namespace stencil {

/// The model knows to a few per cent how fast a walk is, and the best ones lie
/// within these. Of large volumes they were measured: returns that form of
/// `chosen`, what the model has chosen, with what is open left open. Null if
/// none was measured. What is no walk has such a form only where walks were
/// measured to be faster than the model takes them to be.
/// `isAnyWalk`: nothing was chosen, and what can be a walk is one.
FormSchedule getMeasuredForm(ScheduleAttr chosen, const KernelProfile &profile,
                             const TargetInfo &target, const FormBook &forms,
                             bool isAnyWalk);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_MEASUREDFORM_H
