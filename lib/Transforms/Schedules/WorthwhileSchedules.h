//===- WorthwhileSchedules.h - Which schedules are worth it -----*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_SCHEDULES_WORTHWHILESCHEDULES_H
#define STENCIL_LIB_TRANSFORMS_SCHEDULES_WORTHWHILESCHEDULES_H

#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// True if an apply that was compiled is to keep the schedule that it has
/// (kDeclinedAttr).
bool isSettled(ApplyOp apply);

/// True if an apply was compiled with that schedule and spilled.
bool isDeclined(ApplyOp apply, ScheduleAttr schedule);

/// The default with all registers for one block, then with fewer points of a
/// thread, where it is declined: for GPUs on which no model chooses. Null if it
/// is not declined, or if there is none left.
ScheduleAttr getLighterDefault(ApplyOp apply, const KernelProfile &profile,
                               const TargetInfo &target);

/// The schedules with which an apply was compiled and spilled (kDeclinedAttr),
/// and what they teach of its registers.
class DeclinedSchedules {
public:
  DeclinedSchedules(ApplyOp apply, const KernelProfile &profile,
                    const TargetInfo &target);

  bool empty() const { return schedules.empty(); }
  bool contains(ScheduleAttr schedule) const {
    return llvm::is_contained(schedules, schedule);
  }
  /// The default is among them.
  bool hasDefault() const { return contains(fallback); }

  /// Registers that a thread is expected to need, by those that it can have: by
  /// the estimate, multiplied by what it was off for the declined of the kind,
  /// walks or tiles.
  double getLoad(const SchedulePrediction &prediction) const;
  /// True if it is not expected to spill.
  bool isFree(const SchedulePrediction &prediction) const;

private:
  const TargetInfo &target;
  ScheduleAttr fallback;
  llvm::SmallVector<ScheduleAttr> schedules;
  /// What estimates of tiles and of walks are to be multiplied by; 0: not
  /// known.
  std::array<double, 2> factors = {0, 0};
};

/// A schedule that was chosen, where blocks would leave multiprocessors without
/// work, with other numbers: of blocks at once, stages, segments, or threads.
/// For GPUs of which that was measured; docs/notebook.md has what, "Blocks for
/// all multiprocessors".
ScheduleAttr fillMultiprocessors(ApplyOp apply, const KernelProfile &profile,
                                 ScheduleAttr schedule,
                                 const TargetInfo &target);

/// The same of what has been chosen, with a tail of short segments where that
/// is faster than equal ones.
ScheduleAttr cutTail(ApplyOp apply, const KernelProfile &profile,
                     ScheduleAttr schedule, const TargetInfo &target);

/// Whether what takes `seconds` is worth it instead of what takes `other`.
bool isWorthwhile(double seconds, double other);

/// Those of `ranked` that are expected to be worth it beside `standard`, the
/// default, the one that is expected to be fastest first. Where the default is
/// declined, all that is not expected to spill is; then the others, the one
/// that needs least first.
llvm::SmallVector<const RankedSchedule *>
listWorthwhile(ApplyOp apply, const KernelProfile &profile,
               llvm::ArrayRef<RankedSchedule> ranked,
               const RankedSchedule &standard, const TargetInfo &target,
               const DeclinedSchedules &declined);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_SCHEDULES_WORTHWHILESCHEDULES_H
