//===- Simplifications.h - How programs become smaller ----------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_STENCILREDUCE_SIMPLIFICATIONS_H
#define STENCILDIALECT_TOOLS_STENCILREDUCE_SIMPLIFICATIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

/// Makes an op simpler, or replaces it by something simpler; false if it is not
/// that kind of op, or as simple as can be. It erases at most the op, what is
/// in it, and users of it. The program means something else then, and may be
/// invalid. Applied again and again, each comes to an end.
using Simplification = bool (*)(mlir::Operation *op,
                                mlir::RewriterBase &rewriter);

/// All of them, those first that remove most.
llvm::ArrayRef<Simplification> getSimplifications();

/// Gives them to MLIR's reduction passes, as the stencil dialect's.
void registerReductionPatterns(mlir::DialectRegistry &registry);

#endif // STENCILDIALECT_TOOLS_STENCILREDUCE_SIMPLIFICATIONS_H
