//===- Patterns.h - The parts of convert-stencil-to-kernels ---------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H

#include "KernelSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace stencil {

/// Brings the bodies of applies within an op to what kernels are made of; fails
/// with an error where one calls a function.
mlir::LogicalResult prepareBodies(mlir::Operation *root);

/// Each builds the kernels of an op and launches them before the op, which
/// stays. Fails with an error at an op that has no GPU lowering.
/// The boundary ops behind an apply that fill periodic halos of what it stores
/// to are part of its kernel, and added to `joined`.
mlir::LogicalResult
lowerApply(ApplyOp op, KernelSet &kernels,
           llvm::SmallPtrSetImpl<mlir::Operation *> &joined);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_PATTERNS_H
