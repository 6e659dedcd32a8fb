//===- TimedProgram.h - An apply by itself, to be timed ---------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_TIMEDPROGRAM_H
#define STENCIL_LIB_EXECUTION_TIMEDPROGRAM_H

#include "StencilDialect/IR/StencilOps.h"

#include <string>

namespace stencil {

/// The text of a program that does what a bufferised apply does as often as its
/// last argument says: `@timed(numbers..., %count: index)`. Its fields lie as
/// the compiler lays out the fields of programs, and have values from 1/64 to 1
/// that look random, or small whole numbers, halos included. `schedule` may be
/// null. With `areFieldsGiven` they are its first arguments instead, as their
/// owner laid them out.
///
/// Equal applies make equal texts, whatever their schedules. Empty if a field
/// has no known extents.
std::string makeTimedProgram(ApplyOp apply, ScheduleAttr schedule,
                             bool areFieldsGiven);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_TIMEDPROGRAM_H
