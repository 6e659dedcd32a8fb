//===- StepDiamonds.h - Steps of a time loop in diamonds --------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H
#define STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil {

/// Fails with an error if the steps of `loop`, which asks for diamonds, cannot
/// be cut into these.
mlir::LogicalResult checkDiamonds(mlir::scf::ForOp loop);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H
