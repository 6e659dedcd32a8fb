//===- DefinitionOrder.h - Which value is defined first ---------*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_DEFINITIONORDER_H
#define STENCIL_LIB_ANALYSIS_DEFINITIONORDER_H

#include "mlir/IR/Value.h"

namespace stencil {

/// True if `value` is defined in a region of `op`.
bool isInside(mlir::Value value, mlir::Operation *op);

/// True if `a` is defined after `b`, for values that are visible at one place
/// or of which one is defined inside the op that defines the other.
bool isLater(mlir::Value a, mlir::Value b);

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_DEFINITIONORDER_H
