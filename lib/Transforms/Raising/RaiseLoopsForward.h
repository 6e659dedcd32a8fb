//===- RaiseLoopsForward.h - Values instead of arrays -----------*- C++ -*-===//
//
// Private to stencil-raise-loops.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSFORWARD_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSFORWARD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stencil::raise {

/// Arrays that are allocated for what applies hand to each other go, where they
/// are stored as a whole before they are loaded.
void forwardTemporaries(mlir::func::FuncOp function);

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSFORWARD_H
