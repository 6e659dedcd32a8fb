//===- ErrorPaths.h - Ways out of functions that fail -----------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TARGET_ERRORPATHS_H
#define STENCILDIALECT_LIB_TARGET_ERRORPATHS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// The functions of the runtime, the program's own or the library's:
/// stencilFail and stencilTakeStatus (StencilRuntime/Runtime.h).
struct StatusFunctions {
  mlir::LLVM::LLVMFuncOp fail, takeStatus;
};

/// Changes one function so that it returns after an error, which
/// `runtime.takeStatus` then gives. `callees` are the functions that are
/// changed in the same way.
void addErrorPaths(mlir::LLVM::LLVMFuncOp function,
                   const StatusFunctions &runtime,
                   const llvm::SetVector<mlir::Operation *> &callees);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TARGET_ERRORPATHS_H
