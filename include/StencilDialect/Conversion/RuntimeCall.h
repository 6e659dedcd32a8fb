//===- RuntimeCall.h - Calls of the runtime library -------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_RUNTIMECALL_H
#define STENCILDIALECT_CONVERSION_RUNTIMECALL_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace stencil {

/// A call of a function of the runtime library (StencilRuntime/Runtime.h),
/// which is declared in the module if it is not yet.
mlir::func::CallOp callRuntime(ImplicitLocOpBuilder &b, StringRef name,
                               mlir::TypeRange results, ValueRange operands);

/// Functions of StencilRuntime/Runtime.h.
inline constexpr llvm::StringLiteral kBeginSteps = "stencilBeginSteps",
                                     kCountSteps = "stencilCountSteps",
                                     kCountLaunchedSteps =
                                         "stencilCountLaunchedSteps",
                                     kEndSteps = "stencilEndSteps";

/// Of the C library: others may have the processor of this thread, which waits.
inline constexpr llvm::StringLiteral kYieldProcessor = "sched_yield";

/// Calls one of these. In the LLVM dialect: passes that give functions of the
/// program an interface leave it alone.
mlir::LLVM::CallOp callStepFunction(ImplicitLocOpBuilder &b, StringRef name,
                                    ValueRange operands);

/// Whether an op is such a call.
bool callsStepFunction(Operation *op, StringRef name);

/// A message for the user of a compiled program, who has no IR at hand:
/// `file:line:column: what`.
std::string describe(Location loc, const llvm::Twine &what);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_RUNTIMECALL_H
