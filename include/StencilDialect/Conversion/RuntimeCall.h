//===- RuntimeCall.h - Calls of the runtime library -------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_RUNTIMECALL_H
#define STENCILDIALECT_CONVERSION_RUNTIMECALL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stencil {

/// A call of a function of the runtime library (StencilRuntime/Runtime.h),
/// which is declared in the module if it is not yet.
mlir::func::CallOp callRuntime(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::StringRef name, mlir::TypeRange results,
                               mlir::ValueRange operands);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_RUNTIMECALL_H
