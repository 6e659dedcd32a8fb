//===- GroupStages.h - Stages for groups of inputs --------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_GROUPSTAGES_H
#define STENCILDIALECT_LIB_TRANSFORMS_GROUPSTAGES_H

#include "PipelineDraft.h"

namespace stencil {

/// Deals the inputs in shared windows to groups, as the schedule's `groups`
/// says, and cuts each of the stages into one per group of inputs, which
/// computes what follows from this group and those before. An input that
/// several stages read is in no group. Fails with an error at a stage.
mlir::LogicalResult groupStages(PipelineDraft &draft);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_GROUPSTAGES_H
