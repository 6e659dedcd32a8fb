//===- GroupStages.h - Stages for groups of inputs --------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_GROUPSTAGES_H
#define STENCILDIALECT_LIB_TRANSFORMS_GROUPSTAGES_H

#include "PipelineDraft.h"

namespace stencil {

/// Adds the stages of an apply whose schedule has `groups`: one per group of
/// inputs, which computes what follows from this group and those before. Fails
/// with an error at the apply.
mlir::LogicalResult addGroupStages(PipelineDraft &draft);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_GROUPSTAGES_H
