//===- StageStores.h - When a pipeline stores on a CPU ----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGESTORES_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGESTORES_H

#include "PipelineWalk.h"
#include "mlir/IR/PatternMatch.h"

namespace stencil {

/// A stage stores where it computes. Where that is more than what is stored, or
/// too early for somebody who reads the field, a stage at the end of the
/// pipeline copies its result, and that is stored. Returns whether there are
/// such; fails with an error at what cannot be copied.
mlir::FailureOr<bool> delayStores(PipelineOp op, const PipelineWalk &walk,
                                  mlir::RewriterBase &rewriter);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGESTORES_H
