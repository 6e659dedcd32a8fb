//===- TimedSchedules.h - Schedules timed on the device ---------*- C++ -*-===//
//
// The last part of the choice of a schedule: of those that the cost model takes
// for the fastest, the one that is. What the model is wrong by costs a tenth in
// the median of kernels that nobody has seen (docs/cost-model.md); a dozen
// candidates hold one within 5 % of the best for nine of ten.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_EXECUTION_TIMEDSCHEDULES_H
#define STENCILDIALECT_EXECUTION_TIMEDSCHEDULES_H

#include "StencilDialect/Execution/GPUCompilation.h"
#include "StencilDialect/Tuning/Database.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stencil {

/// Of each apply so many are timed that the model likes; then so often so many
/// that differ from the fastest in one number.
inline constexpr unsigned kTimedCandidates = 12, kClimbs = 2, kTimedNear = 6;

/// Gives `device` the schedules that are fastest for `entry` on the GPU at
/// hand. Each apply of known extents is compiled by itself with what would be
/// chosen for it and with what the model likes next, side by side on the CPUs,
/// and timed on fields of its own with random values, which are given back.
/// `device.schedule` is a list afterwards, or empty if there is nothing to
/// time: what cannot be timed is chosen as if nobody had asked, and a remark
/// says why.
///
/// `database`: a file of measured schedules, or empty. If it has the program,
/// nothing is timed; else it gets what was found. `wanted`: the key, but for
/// the program, the mathematics and the toolchain. Emits an error if the file
/// cannot be read or written.
mlir::LogicalResult timeSchedules(mlir::func::FuncOp entry,
                                  GPUCompileOptions &device, TuningKey wanted,
                                  llvm::StringRef database);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_TIMEDSCHEDULES_H
