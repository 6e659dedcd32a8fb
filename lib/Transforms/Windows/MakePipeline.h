//===- MakePipeline.h - From an apply to a tiled pipeline -------*- C++ -*-===//
//
// What stencil-stream-windows, stencil-skew-stages and stencil-tile-registers
// do to one op.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_MAKEPIPELINE_H
#define STENCILDIALECT_LIB_TRANSFORMS_MAKEPIPELINE_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// Replaces the apply by a pipeline with the windows of the schedule. Fails
/// with an error at the apply, which may be half changed then.
mlir::LogicalResult makePipeline(ApplyOp apply, ScheduleAttr schedule,
                                 const TargetInfo *target, MathMode math);

/// Has the stages of a pipeline read where their skews say, and takes these
/// away. Fails with an error at the op that cannot be moved.
mlir::LogicalResult skewStages(PipelineOp op);

/// Completes the schedule of the pipeline and checks it. Fails with an error at
/// the pipeline. A remark says what was chosen, unless it is to be silent.
mlir::LogicalResult tilePipeline(PipelineOp op, const TargetInfo &target,
                                 bool isSilent);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_MAKEPIPELINE_H
