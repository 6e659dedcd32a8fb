//===- FoldedLoops.h - Loops whose windows have boundaries ------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_FOLDEDLOOPS_H
#define STENCIL_LIB_TRANSFORMS_FOLDEDLOOPS_H

#include "StencilDialect/IR/PipelinePlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil {

/// The points of a load that a pipeline needs.
BoundsAttr getNeeded(const PipelinePlan &plan, LoadOp load);

/// Splits `loop` in two: the last steps, and those before, which lose these
/// boundary ops of its body. `why` is the reason if they cannot: then nothing
/// is changed.
mlir::LogicalResult dropBoundaries(mlir::scf::ForOp loop,
                                   llvm::ArrayRef<BoundaryOp> boundaries,
                                   std::string &why);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_FOLDEDLOOPS_H
