//===- ScheduleTrial.h - Whether a schedule can be had ----------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_SCHEDULETRIAL_H
#define STENCILDIALECT_LIB_TRANSFORMS_SCHEDULETRIAL_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace stencil {

/// A copy of the apply, at the end of the module, in a function whose arguments
/// are its operands.
ApplyOp copyApply(ApplyOp apply, mlir::ModuleOp module);

/// Makes a pipeline of a copy of the apply, as the passes behind
/// stencil-select-schedule are going to. Returns their error, or nothing if the
/// apply can have the schedule. The program stays as it is.
std::string trySchedule(ApplyOp apply, ScheduleAttr schedule,
                        const TargetInfo &target, MathMode math);

/// Makes pipelines of a copy of the module, and groups its regions. Returns the
/// error of that, or nothing if regions can be launched as they ask for.
std::string tryRegions(mlir::ModuleOp module, const TargetInfo &target,
                       MathMode math);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_SCHEDULETRIAL_H
