//===- Raising.h - Tensors to stencils --------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_PIPELINES_RAISING_H
#define STENCIL_LIB_PIPELINES_RAISING_H

#include "mlir/Pass/PassManager.h"

namespace stencil {

/// Linalg on tensors to level 0: upstream's passes make arrays of tensors, then
/// loops and linalg are raised. Functions take fields for the tensors that they
/// took, which may change in place, and for those that they returned.
void buildStencilRaiseTensors(mlir::OpPassManager &manager);

/// Makes it known as `stencil-raise-tensors`.
void registerRaisingPipeline();

} // namespace stencil

#endif // STENCIL_LIB_PIPELINES_RAISING_H
