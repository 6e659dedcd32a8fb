//===- MakePipeline.h - Rewrites of pipelines -------------------*- C++ -*-===//
//
// What stencil-stream-windows, stencil-skew-stages and stencil-tile-registers
// do to one op.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_TRANSFORMS_WINDOWS_MAKEPIPELINE_H
#define STENCIL_LIB_TRANSFORMS_WINDOWS_MAKEPIPELINE_H

#include "PipelineDraft.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// Replaces the apply by a pipeline with the windows of the schedule. Fails
/// with an error at the apply, which may be half changed then.
LogicalResult makePipeline(ApplyOp apply, ScheduleAttr schedule,
                           const TargetInfo *target, MathMode math);

/// Has the stages of a pipeline read where their skews say, and takes these
/// away. Fails with an error at the op that cannot be moved.
LogicalResult skewStages(PipelineOp op);

/// Completes the schedule of the pipeline and checks it. Fails with an error at
/// the pipeline. A remark says what was chosen, unless it is to be silent.
LogicalResult tilePipeline(PipelineOp op, const TargetInfo &target,
                           bool isSilent);

/// Cuts a stage into stages for the values that its body computes and reads at
/// neighbouring points, which are kept where the schedule's `chain` says, and a
/// last one for the results. Fails with an error at the stage.
LogicalResult chainStage(PipelineDraft &draft, ApplyOp stage);

/// Deals the inputs in shared windows to groups, as the schedule's `groups`
/// says, and cuts each of the stages into one per group of inputs, which
/// computes what follows from this group and those before. An input that
/// several stages read is in no group. Fails with an error at a stage.
LogicalResult groupStages(PipelineDraft &draft);

/// Brings stages to the scatter form: stages that read the newest plane only
/// and compute its contributions to all planes, the accumulations of these,
/// and, if the results are more than linear in them, a last stage for the rest.
/// In the semi form a stage computes the contributions to planes behind, and
/// all that the newest plane gets of those behind it. Fails with an error at
/// the last stage of a chain if it cannot be; those before it then stay as they
/// are.
LogicalResult scatterStages(PipelineDraft &draft, MathMode mode);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_WINDOWS_MAKEPIPELINE_H
