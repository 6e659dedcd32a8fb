//===- StepBodies.h - Copies of what a step consists of ---------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STEPBODIES_H
#define STENCILDIALECT_LIB_TRANSFORMS_STEPBODIES_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

/// An apply with the body of `original`, of other inputs and other boxes. It
/// has none of its attributes.
ApplyOp copyApply(mlir::OpBuilder &builder, mlir::Location loc,
                  ApplyOp original, mlir::TypeRange types,
                  mlir::ValueRange args);

/// A stage, or a kernel, that copies a box of a value, or all of it.
ApplyOp makeCopy(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value source, BoundsAttr box);

/// Copies the ops of a block from which `roots` are computed, as far as
/// `isCopied` says so.
void copyNeeded(mlir::OpBuilder &builder, mlir::Block &block,
                mlir::ValueRange roots,
                llvm::function_ref<bool(mlir::Operation *)> isCopied,
                mlir::IRMapping &mapping);

/// Memory outside of all loops, where none is lost.
mlir::Value makeFieldBefore(mlir::scf::ForOp loop, mlir::OpBuilder &builder,
                            mlir::Type type);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STEPBODIES_H
