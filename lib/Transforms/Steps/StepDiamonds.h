//===- StepDiamonds.h - Steps of a time loop in diamonds --------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H
#define STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H

#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <string>

namespace stencil {

/// An apply of a step that is stored, and before it those from whose results it
/// is computed.
struct StepChain {
  SmallVector<ApplyOp> applies;
  SmallVector<StoreOp> stores;
};

/// The chains of a step, each of two applies or more. Nothing if one of them
/// cannot be a pipeline; says why.
std::optional<std::vector<StepChain>>
findChains(const TimeLoop &time, FieldAliasAnalysis &aliases, NoTimeLoop &why);

/// Puts a pipeline in the place of each chain, in which the applies are stages.
/// What is a part of several chains is a stage of each.
void joinChains(ArrayRef<StepChain> chains);

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
LogicalResult checkDiamonds(mlir::scf::ForOp loop);

/// What a CPU has for diamonds, and what they are to cover.
struct DiamondRoom {
  /// Bytes of a core's second-level cache, and of all last-level caches.
  uint64_t ownCache = 0, lastCache = 0;
  int64_t threads = 1;
  /// Of the interior; empty: any.
  ArrayRef<int64_t> extents;
};

/// The diamonds in which the steps of a loop are faster than otherwise; null,
/// and why, if there are none.
DiamondsAttr chooseDiamonds(mlir::scf::ForOp loop, const DiamondRoom &room,
                            std::string &why);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H
