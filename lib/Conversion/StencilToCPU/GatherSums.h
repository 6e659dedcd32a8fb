//===- GatherSums.h - Sums over planes on a CPU -----------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_GATHERSUMS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_GATHERSUMS_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/IR/PatternMatch.h"

namespace stencil {

/// Puts stages that read the terms of all planes in the place of accumulations.
/// Partial sums are for registers, which a CPU has too few of; what its cache
/// keeps is read again.
void gatherSums(PipelineOp op, mlir::RewriterBase &rewriter);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_GATHERSUMS_H
