//===- ScheduleTimer.h - Times schedules of an apply ------------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_SCHEDULETIMER_H
#define STENCIL_LIB_EXECUTION_SCHEDULETIMER_H

#include "ExecutableImage.h"
#include "LoadedObject.h"
#include "StencilRuntime/Backend.h"

#include <optional>

namespace stencil {

/// A schedule, and how fast it is.
struct TimedSchedule {
  std::string schedule;
  /// Of one call: the median of some; 0 until it is timed.
  double seconds = 0;
  unsigned runs = 0;
  /// Of the kernel that takes most; absent if nobody knows.
  std::optional<unsigned> registers, spilledBytes;
};

/// Times one function with several schedules: a program as text, whose only
/// function takes fields of known extents and numbers.
class ScheduleTimer {
public:
  ScheduleTimer(std::string program, const GPUCompileOptions &device)
      : program(std::move(program)), device(device) {}

  /// Compiles the first of the list, and those after it that can be had and
  /// spill nothing, until there are `count`. The first one counts in any case.
  /// Fails with the error of the first one.
  llvm::Error compile(llvm::ArrayRef<std::string> schedules, unsigned count);

  /// Runs what was compiled in turns. Fails if a run fails, or if the device
  /// has no room for the fields.
  llvm::Error measure();

  /// In the order of the list.
  llvm::ArrayRef<TimedSchedule> getSchedules() const { return timed; }
  /// The fastest; the first one if no other is faster by more than what two
  /// timings of one differ by.
  const TimedSchedule &getBest() const;

private:
  llvm::Expected<ExecutableImage> compile(llvm::StringRef schedule) const;

  std::string program;
  const GPUCompileOptions &device;
  std::vector<TimedSchedule> timed;
  /// One for each of `timed`.
  std::vector<ExecutableImage> images;
};

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_SCHEDULETIMER_H
