//===- WindowLimits.h - What windows can be for -----------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_WINDOWLIMITS_H
#define STENCILDIALECT_IR_WINDOWLIMITS_H

#include "StencilDialect/IR/StencilOps.h"

#include <string>

namespace stencil {

/// Planes that a window can be asked to hold. Shared memory holds that many of
/// the smallest ones; of others it is what sets the limit.
inline constexpr int64_t kMostStages = ScheduleAttr::kMostStages;

/// Why an input of an apply, which is a field or temp, can have no window but
/// the cache; empty if it can have one.
std::string explainNoWindow(ApplyOp apply, mlir::BlockArgument input);

} // namespace stencil

#endif // STENCILDIALECT_IR_WINDOWLIMITS_H
