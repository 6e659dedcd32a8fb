//===- WorthwhileSchedules.h - What is better than the default --*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_SCHEDULES_WORTHWHILESCHEDULES_H
#define STENCILDIALECT_LIB_TRANSFORMS_SCHEDULES_WORTHWHILESCHEDULES_H

#include "DeclinedSchedules.h"

namespace stencil {

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

#endif // STENCILDIALECT_LIB_TRANSFORMS_SCHEDULES_WORTHWHILESCHEDULES_H
