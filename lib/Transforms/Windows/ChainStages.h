//===- ChainStages.h - Stages that feed each other --------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_CHAINSTAGES_H
#define STENCILDIALECT_LIB_TRANSFORMS_CHAINSTAGES_H

#include "PipelineDraft.h"

namespace stencil {

/// Cuts a stage into stages for the values that its body computes and reads at
/// neighbouring points, which are kept where the schedule's `chain` says, and a
/// last one for the results. Fails with an error at the stage.
mlir::LogicalResult chainStage(PipelineDraft &draft, ApplyOp stage);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_CHAINSTAGES_H
