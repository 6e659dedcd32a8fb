//===- Casts.h - What casts and windows are of ------------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_CASTS_H
#define STENCILDIALECT_IR_CASTS_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// The memory that ops give other bounds or another type. (What may be the same
/// memory otherwise is FieldAliasAnalysis' to say.)
mlir::Value lookThroughCasts(mlir::Value field);

/// The value that windows keep.
inline mlir::Value lookThroughWindows(mlir::Value value) {
  while (auto window = value.getDefiningOp<WindowOp>())
    value = window.getTemp();
  return value;
}

} // namespace stencil

#endif // STENCILDIALECT_IR_CASTS_H
