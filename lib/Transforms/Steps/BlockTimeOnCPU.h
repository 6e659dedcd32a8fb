//===- BlockTimeOnCPU.h - How many steps pay on a CPU -----------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_BLOCKTIMEONCPU_H
#define STENCIL_LIB_TRANSFORMS_BLOCKTIMEONCPU_H

#include "StagedSteps.h"
#include "StepComposition.h"

namespace stencil {

/// Bytes of the cache that a core has to itself, and of the last one.
struct StepCaches {
  uint64_t core = 0, last = 0;
};

/// The most steps at once that are tried of a loop over so many axes; odd.
int64_t getMostSteps(int64_t rank);

/// Why steps are not to be taken at once as planned, on an interior of these
/// extents; empty if they are.
std::string explainSteps(const StepComposition &plan, ArrayRef<int64_t> extents,
                         const StepCaches &caches);

/// The same of a wave, or of another step of several states.
std::string explainStages(const StagedSteps &plan, ArrayRef<int64_t> extents,
                          const StepCaches &caches);

/// Has a walk go on by several planes at a time, as many as its schedule asks
/// for, else two rows of a plane, which share what they read. Its windows keep
/// as many more.
void walkBySeveral(PipelineOp pipeline, std::optional<int64_t> asked);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_BLOCKTIMEONCPU_H
