//===- StageStores.h - When a pipeline stores on a CPU ----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGESTORES_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGESTORES_H

#include "PipelineWalk.h"
#include "mlir/IR/PatternMatch.h"

namespace stencil {

/// The walk of a pipeline, after what has to be rewritten for a CPU: sums over
/// planes become stages, windows of one value have one boundary, and what is
/// stored too early by stages that others read is stored later. Fails with an
/// error.
mlir::FailureOr<PipelineWalk> prepareWalk(PipelineOp op,
                                          mlir::RewriterBase &rewriter);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGESTORES_H
