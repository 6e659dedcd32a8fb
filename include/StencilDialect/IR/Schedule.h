//===- Schedule.h - Making and changing schedules ---------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_SCHEDULE_H
#define STENCILDIALECT_IR_SCHEDULE_H

#include "StencilDialect/IR/StencilOps.h"
#include "llvm/ADT/BitVector.h"

namespace stencil {

/// The keys of a #stencil.schedule by name, as ScheduleKeys.td declares them.
using ScheduleKeys = ScheduleAttr::Keys;

/// The attribute of a kernel that holds, as text, how what it reads leaves the
/// second-level cache, if that is not as usual.
inline constexpr llvm::StringLiteral kEvictionAttrName = "stencil.eviction";

/// The attribute, a unit, of a kernel whose code for a plane is long and is to
/// be scheduled as a whole: no branch is in it for a store alone.
inline constexpr llvm::StringLiteral kStraightAttrName = "stencil.straight";

/// The number of inputs that windows are for: fields and temps.
unsigned countFieldInputs(ApplyOp apply);

/// True if a schedule can be the one of an apply: by rank, and by the number of
/// windows if it has a list of them.
bool suits(ScheduleAttr schedule, ApplyOp apply);

/// True if how the apply is computed is still to be chosen: it has no schedule,
/// or one that only says that its region runs by itself or in a stream.
/// (Regions that become one launch have blocks of one kind, which are chosen by
/// rules.)
bool isScheduleOpen(ApplyOp apply);

/// What an apply whose schedule is open has if it gets `schedule`: that, and
/// how its region is launched.
ScheduleAttr mergeSchedule(ApplyOp apply, ScheduleAttr schedule);

/// Erases the inputs that are set, with their arguments of the body, which must
/// have no use, and with their windows in a list of the apply's schedule.
void eraseInputs(ApplyOp apply, const llvm::BitVector &inputs);

/// After inputs were added behind those that there were: continues the list of
/// windows in the apply's schedule, if there is one, by `windows`, one for each
/// new field or temp.
void addWindows(ApplyOp apply, llvm::ArrayRef<Space> windows);

} // namespace stencil

#endif // STENCILDIALECT_IR_SCHEDULE_H
