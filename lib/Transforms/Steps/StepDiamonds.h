//===- StepDiamonds.h - Steps of a time loop in diamonds --------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H
#define STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H

#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil {

/// Whether a boundary op changes nothing.
bool keepsAll(BoundaryOp boundary);

/// Whether some halo along an axis is of the other end.
bool wrapsAlong(const TimeLoop &time, int64_t axis);

/// A loop whose steps can be cut into diamonds; if they cannot be, says why.
std::optional<TimeLoop> findDiamonds(mlir::scf::ForOp loop, NoTimeLoop &why);

/// Why the halo of a boundary is not filled with the points that it is made of,
/// and takes a phase of its own; empty if it is (DiamondLoop.cpp).
std::string explainHaloPhase(BoundaryOp boundary, const TimeLoop &time);

/// Removes what stands in their way: boundaries that change nothing, and
/// schedules. What a step does not store becomes stages of pipelines.
void prepareDiamonds(const TimeLoop &time);

/// Fails with an error if the steps of `loop`, which asks for diamonds, cannot
/// be cut into these.
mlir::LogicalResult checkDiamonds(mlir::scf::ForOp loop);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H
