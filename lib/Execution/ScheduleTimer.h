//===- ScheduleTimer.h - Times schedules of an apply ------------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_SCHEDULETIMER_H
#define STENCIL_LIB_EXECUTION_SCHEDULETIMER_H

#include "ExecutableImage.h"
#include "LoadedObject.h"
#include "StencilDialect/IR/StencilOps.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <memory>
#include <optional>

namespace stencil {

/// A schedule, and how fast it is.
struct TimedSchedule {
  ScheduleAttr schedule;
  /// Of one execution of the apply: the median of some; 0 until it is timed.
  double seconds = 0;
  unsigned runs = 0;
  /// Of the kernel that takes most; absent if nobody knows.
  std::optional<unsigned> registers, spilledBytes;
};

/// Times an apply by itself with several schedules.
class ScheduleTimer {
public:
  ScheduleTimer(ApplyOp apply, const GPUCompileOptions &device);
  ~ScheduleTimer();

  /// Compiles the first ones of the list that can be had, are new and spill
  /// nothing, `count` of them, side by side, and runs them in turns with the
  /// fastest before. The very first schedule counts in any case. Fails with the
  /// error of that one, if a run fails, or if the device has no room for the
  /// fields.
  llvm::Error time(llvm::ArrayRef<ScheduleAttr> schedules, unsigned count);

  /// In the order in which they were timed.
  llvm::ArrayRef<TimedSchedule> getSchedules() const { return timed; }
  /// The fastest; the first one if no other is faster by more than what two
  /// timings of one differ by.
  const TimedSchedule &getBest() const;

private:
  class Device;

  llvm::Expected<ExecutableImage> compile(llvm::StringRef program) const;
  llvm::Error compile(llvm::ArrayRef<ScheduleAttr> schedules, unsigned count);
  llvm::Error measure(size_t first);

  ApplyOp apply;
  const GPUCompileOptions &options;
  llvm::SmallPtrSet<mlir::Attribute, 32> tried;
  std::vector<TimedSchedule> timed;
  /// One for each of `timed`.
  std::vector<std::unique_ptr<LoadedObject>> loaded;
  std::unique_ptr<Device> device;
};

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_SCHEDULETIMER_H
