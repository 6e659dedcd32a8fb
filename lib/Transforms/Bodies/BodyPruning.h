//===- BodyPruning.h - What does not contribute to a body -------*- C++ -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_BODYPRUNING_H
#define STENCILDIALECT_TRANSFORMS_BODYPRUNING_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// The number that a temp is at every point; null if it is none.
using ConstantOf = llvm::function_ref<mlir::TypedAttr(mlir::Value temp)>;

/// Removes from a body what contributes nothing: taps of weight zero, products
/// with zero where these are zero, reads of temps that are constant; and what
/// is not used then. Linear in the size of the body.
void pruneBody(ApplyOp apply, MathMode mode, ConstantOf constantOf);

/// Zero for the sums of a body that have no tap, and then what is not used
/// removed: every argument that has a use is read.
void eraseUnread(ApplyOp apply);

/// Removes the ops of a body, also those in its regions, that are not used.
void eraseUnusedOps(mlir::Region &body);

/// Removes the operands that the body does not read.
void dropUnusedOperands(ApplyOp apply);

/// Keeps those results of a combine that get a type, with that type. What
/// passes through is a pair with itself if there is no other: a combine has one
/// at least.
void keepResults(CombineOp combine,
                 llvm::function_ref<mlir::Type(mlir::Value result)> getType);

/// The number that `value` of a body is, also if it is an operand of the apply;
/// null if it is none.
mlir::TypedAttr getConstantInBody(ApplyOp apply, mlir::Value value);

} // namespace stencil

#endif // STENCILDIALECT_TRANSFORMS_BODYPRUNING_H
