//===- ArrayChecks.h - Checks of arrays that are handed in ------*- C++ -*-===//

#ifndef STENCILDIALECT_TARGET_ARRAYCHECKS_H
#define STENCILDIALECT_TARGET_ARRAYCHECKS_H

#include "ErrorPaths.h"
#include "StencilDialect/Target/ReturnErrors.h"

namespace stencil {

/// Lets `interface`, `_mlir_ciface_NAME` with the result types that it had
/// before it returned a status, report and return at an array that is null,
/// that is not row-major without gaps, or, as far as `arrays` says where they
/// end, that overlaps another one of which one is written.
void addArrayChecks(mlir::LLVM::LLVMFuncOp interface,
                    const StatusFunctions &runtime,
                    llvm::ArrayRef<InterfaceArray> arrays);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_ARRAYCHECKS_H
