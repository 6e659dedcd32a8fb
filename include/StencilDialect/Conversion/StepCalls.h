//===- StepCalls.h - Calls that say how far a program is --------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_STEPCALLS_H
#define STENCILDIALECT_CONVERSION_STEPCALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace stencil {

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
mlir::LLVM::CallOp callStepFunction(mlir::OpBuilder &builder,
                                    mlir::Location loc, llvm::StringRef name,
                                    mlir::ValueRange operands);

/// Whether an op is a call of stencilCountSteps.
bool isStepCount(mlir::Operation *op);
/// Whether an op is a call of stencilCountLaunchedSteps.
bool isLaunchedStepCount(mlir::Operation *op);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_STEPCALLS_H
