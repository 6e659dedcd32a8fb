//===- Casts.h - What casts of fields are of --------------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_CASTS_H
#define STENCILDIALECT_IR_CASTS_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// The field that casts give other bounds. (What may be the same memory
/// otherwise is FieldAliasAnalysis' to say.)
inline mlir::Value lookThroughCasts(mlir::Value field) {
  while (auto cast = field.getDefiningOp<CastOp>())
    field = cast.getField();
  return field;
}

} // namespace stencil

#endif // STENCILDIALECT_IR_CASTS_H
