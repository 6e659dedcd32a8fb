//===- ChainStages.h - Stages that feed each other --------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_CHAINSTAGES_H
#define STENCILDIALECT_LIB_TRANSFORMS_CHAINSTAGES_H

#include "PipelineDraft.h"

namespace stencil {

/// Adds stages for the values that the body of the apply computes and reads at
/// neighbouring points, with the windows that the schedule's `chain` asks for,
/// a stage for the results, and the stores. Fails with an error at the apply.
mlir::LogicalResult addChainStages(PipelineDraft &draft);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_CHAINSTAGES_H
