//===- FieldFunction.h - Functions that work on fields ----------*- C++ -*-===//
//
// What both halves of the way to GPUs ask of a function.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_FIELDFUNCTION_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_FIELDFUNCTION_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stencil {

/// Of a func.func between stencil-distribute-tiles and stencil-place-fields:
/// kernels multiply what is beside rows of fields, by 0: it has to be finite. A
/// unit.
inline constexpr llvm::StringLiteral kClearedRowsAttr = "stencil.cleared_rows";

/// An error unless its body is one block, and devices can hold the fields that
/// it is given and returns.
LogicalResult checkFieldFunction(mlir::func::FuncOp function);

/// An error unless devices can hold the fields of an op and of the ops within.
LogicalResult checkFields(Operation *op);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_FIELDFUNCTION_H
