//===- MeasuredForm.h - Schedules that were measured ------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_SCHEDULES_MEASUREDFORM_H
#define STENCIL_LIB_TRANSFORMS_SCHEDULES_MEASUREDFORM_H

#include "FormBook.h"
#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/IR/MathMode.h"

namespace stencil {

/// What kernels of several kinds are told apart by.
FormFacts getFacts(const KernelProfile &profile, llvm::StringRef kernel);

/// The model knows to a few per cent how fast a walk is, and the best ones lie
/// within these. Of large volumes they were measured: returns that form of
/// `chosen`, what the model has chosen, with what is open left open. Null if
/// none was measured. What is no walk has such a form only where walks were
/// measured to be faster than the model takes them to be.
/// `isAnyWalk`: nothing was chosen, and what can be a walk is one.
FoundForm getMeasuredForm(ScheduleAttr chosen, const KernelProfile &profile,
                          const TargetInfo &target, const FormBook &forms,
                          bool isAnyWalk);

/// The form of the longest sum of a row, whose taps `longest` gets: threads of
/// a block and points of each, or nothing where stencil-tile-registers chooses
/// them. None if no sum is long.
FoundForm findRowForm(ApplyOp apply, const TargetInfo &target,
                      const FormBook &forms, int64_t &longest);

/// What loops over the taps of a row take.
SchedulePrediction predictTapLoops(const KernelProfile &profile, int64_t taps,
                                   const TargetInfo &target);

/// How regions like this one were measured best: the interior of a
/// wave in single precision, which is updated in place, and the layers around
/// it, thin along one axis, whose bodies read more fields. Null if none like
/// it was. Regions beside it can be launched at the same time: where a window
/// holds what they store to, its tiles end where the region does.
FoundForm getMeasuredRegion(ApplyOp apply, const KernelProfile &profile,
                            const TargetInfo &target, const FormBook &forms);

struct MatrixSchedule {
  ScheduleAttr schedule;
  /// What a sweep is predicted to take.
  double seconds;
  /// Multiply-adds per output, and taps.
  int64_t depth, taps;
};

/// How an apply's sums would be computed as products of matrices, under
/// `math = reassociate`, or `tf32` for floats; nothing if they cannot be, or if
/// nothing is known of their speed: sums of doubles in rows and planes have
/// been measured, and of other types in planes.
std::optional<MatrixSchedule> findMatrixSchedule(ApplyOp apply,
                                                 const KernelProfile &profile,
                                                 const TargetInfo &target,
                                                 const FormBook &forms,
                                                 MathMode math);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_SCHEDULES_MEASUREDFORM_H
