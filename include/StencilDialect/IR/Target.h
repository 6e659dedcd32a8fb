//===- Target.h - Which GPU a module is for ---------------------*- C++ -*-===//
//
// Passes learn from the attribute `stencil.target` of the module what they
// compile for; stencil-attach-target sets it. They ask the description for what
// the GPU has (Target/TargetInfo.h), not for its name.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_TARGET_H
#define STENCILDIALECT_IR_TARGET_H

#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

namespace stencil {

/// The target of the nearest module around `op`, itself included, that has one;
/// null if none has: the module is for the CPU, or for a GPU that is not known
/// yet.
const TargetInfo *findTarget(mlir::Operation *op);

/// The same, never null: without a target it is an error that says what sets
/// one.
mlir::FailureOr<const TargetInfo *> requireTarget(mlir::Operation *op);

} // namespace stencil

#endif // STENCILDIALECT_IR_TARGET_H
