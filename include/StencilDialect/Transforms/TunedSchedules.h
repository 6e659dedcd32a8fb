//===- TunedSchedules.h - Schedules that were measured ----------*- C++ -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_TUNEDSCHEDULES_H
#define STENCILDIALECT_TRANSFORMS_TUNEDSCHEDULES_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Support/LLVM.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {

/// Gives applies without a schedule those of the entry of a tuning database
/// that suits the module best (Tuning/Database.h), with a remark of the
/// category `Schedule` that says which one, or why there is none. `emulate`:
/// for the emulator. An error if the file cannot be read. Schedules that do not
/// suit their applies are not taken.
LogicalResult assignTunedSchedules(mlir::ModuleOp module, StringRef path,
                                   const TargetInfo &target, MathMode math,
                                   bool emulate);

/// Whether a tuning database has schedules for the applies of the module. An
/// error if the file cannot be read.
FailureOr<bool> hasTunedSchedules(mlir::ModuleOp module, StringRef path,
                                  const TargetInfo &target, MathMode math,
                                  bool emulate);

} // namespace stencil

#endif // STENCILDIALECT_TRANSFORMS_TUNEDSCHEDULES_H
