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

/// What a value is computed as. (What is to be in memory is so in pipelines.)
Value lookThroughBuffers(Value value);

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

/// How far a step reads along an axis, but one point at least.
int64_t getReach(const TimeLoop &time, int64_t axis);

/// Whether the halo of a boundary is not filled with the points that it is made
/// of, but in a phase of its own (DiamondLoop.cpp).
bool takesHaloPhase(BoundaryOp boundary, const TimeLoop &time);

/// Removes what stands in their way: boundaries that change nothing, and
/// schedules. What a step does not store becomes stages of pipelines.
void prepareDiamonds(const TimeLoop &time);

/// Fails with an error if the steps of `loop`, which asks for diamonds, cannot
/// be cut into these.
LogicalResult checkDiamonds(mlir::scf::ForOp loop);

/// Of what size a grid is taken to be that only a call knows; the last one is
/// of volumes.
enum class DiamondGrid { Large, Small, Tiny };

/// What a CPU has for diamonds, and what they are to cover.
struct DiamondRoom {
  /// Bytes of a core's second-level cache, of all last-level caches, and of
  /// those caches from which sweeps one after the other are as fast.
  uint64_t ownCache = 0, lastCache = 0, nearCache = 0;
  int64_t threads = 1;
  /// Of the interior; 0, or none: any.
  ArrayRef<int64_t> extents;
  DiamondGrid grid = DiamondGrid::Large;
};

/// Diamonds that are chosen.
struct DiamondChoice {
  DiamondsAttr diamonds;
  /// Of extents that only a call knows, those for which they are: points of the
  /// interior, of its first axis, and of all axes behind the second one.
  /// Nothing where the extents are known.
  struct Extents {
    int64_t fewestPoints, fewestPlanes, mostOfRows;
  };
  std::optional<Extents> where;
};

/// (ChooseDiamonds.cpp) The diamonds in which the steps of a loop are faster
/// than otherwise; nothing, and why, if there are none.
std::optional<DiamondChoice> chooseDiamonds(mlir::scf::ForOp loop,
                                            const DiamondRoom &room,
                                            std::string &why);

/// Has a call of such extents go through a copy of the loop, and all others
/// through the loop; returns the copy.
mlir::scf::ForOp branchOnExtents(mlir::scf::ForOp loop,
                                 const DiamondChoice::Extents &where);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPDIAMONDS_H
