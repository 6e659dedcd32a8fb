//===- ScheduleSources.h - Where schedules come from ------------*- C++ -*-===//

#ifndef STENCILDIALECT_EXECUTION_SCHEDULESOURCES_H
#define STENCILDIALECT_EXECUTION_SCHEDULESOURCES_H

#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Execution/GPUCompilation.h"
#include "StencilDialect/Tuning/Database.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stencil {

/// The schedule of an apply of a program for a GPU.
struct ChosenSchedule {
  /// As text; empty if the apply has none.
  std::string schedule;
  /// "program", "request", "database", "measured" (a table that is shipped),
  /// "model", or "default" without one.
  std::string from;
  Evidence evidence = Evidence::Default;
};

/// What the applies of `entry` get, in order; empty if that cannot be said.
/// `areComposed`: those that there are once steps are composed, where nobody
/// asked for a schedule.
std::vector<ChosenSchedule> describeSchedules(mlir::func::FuncOp entry,
                                              const GPUCompileOptions &options,
                                              bool areComposed);

/// Whether steps of a loop are computed several at once where nobody asks for a
/// schedule: then there are other applies than in `module`, `entry` with one
/// step after the other.
bool takesSeveralSteps(mlir::func::FuncOp entry,
                       const GPUCompileOptions &options, mlir::ModuleOp module);

/// What a tuning database has for `entry`.
struct TunedChoice {
  /// Nothing if no entry suits.
  std::optional<TuningPoint> schedule;
  /// As in TuningMatch.
  std::string remark;
};

/// Looks `entry` up. `wanted`: all but the program and the toolchain. Emits an
/// error if the file cannot be read.
mlir::FailureOr<TunedChoice> findTuned(mlir::func::FuncOp entry,
                                       const AlgebraOptions &algebra,
                                       llvm::ArrayRef<int64_t> extents,
                                       TuningKey wanted, llvm::StringRef path);

/// Options of a pipeline from the choices of a program for a CPU.
std::string joinOptions(const TuningPoint &point);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_SCHEDULESOURCES_H
