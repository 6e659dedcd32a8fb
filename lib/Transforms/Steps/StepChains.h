//===- StepChains.h - Values that a step does not store ---------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPS_STEPCHAINS_H
#define STENCIL_LIB_TRANSFORMS_STEPS_STEPCHAINS_H

#include "StencilDialect/Analysis/TimeLoop.h"

namespace stencil {

/// An apply of a step that is stored, and before it those from whose results it
/// is computed.
struct StepChain {
  llvm::SmallVector<ApplyOp> applies;
  llvm::SmallVector<StoreOp> stores;
};

/// The chains of a step, each of two applies or more. Nothing if one of them
/// cannot be a pipeline; says why.
std::optional<std::vector<StepChain>>
findChains(const TimeLoop &time, FieldAliasAnalysis &aliases, NoTimeLoop &why);

/// Puts a pipeline in the place of each chain, in which the applies are stages.
/// What is a part of several chains is a stage of each.
void joinChains(llvm::ArrayRef<StepChain> chains);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_STEPCHAINS_H
