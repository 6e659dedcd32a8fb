//===- PipelineWalk.h - How a CPU goes through a pipeline -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEWALK_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEWALK_H

#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/Support/LLVM.h"
#include "mlir/IR/PatternMatch.h"

namespace stencil {

/// What becomes of a result of a stage, or of a load with a boundary.
struct StageResult {
  Value value;
  /// Where later stages need it, from the points that are stored; empty: they
  /// do not, and it is not kept.
  OffsetBox needs;
  /// The newest and the oldest plane that later stages read, from that of the
  /// iteration.
  int64_t newest = 0, oldest = 0;
  /// Planes of a walk that are kept, the newest one included.
  int64_t planes = 1;
  SmallVector<StoreOp, 1> stores;
  /// The window with a boundary that later stages read, if they reach beyond
  /// the box of that; else null.
  WindowOp boundary;
  /// How far they reach beyond it, and where it ends, from the ends of what is
  /// stored.
  OffsetBox reach, ends;

  bool isKept() const { return !needs.isEmpty(); }
  HaloRule getRule(int64_t axis, bool upper) const {
    WindowOp window = boundary;
    return getHaloRule(window.getCondition(axis, upper));
  }
  int64_t getReach(int64_t axis, bool upper) const {
    return (upper ? reach.upper : reach.lower)[axis];
  }
  bool repeats(int64_t axis) const {
    return getRule(axis, /*upper=*/false).wraps();
  }
  /// Whether there is a halo that is made of what is kept. What repeats is read
  /// where it comes from.
  bool hasHalo(int64_t axis, bool upper) const {
    return boundary && getReach(axis, upper) > 0 && !repeats(axis);
  }
  /// The points of the box, from the one next to a side inwards, that have to
  /// be there for the halo on this side; 0 if there is no halo.
  int64_t countSources(int64_t axis, bool upper) const;
};

/// A stage, and when it is computed; or a load whose window has a boundary, and
/// when it is copied to where the halo has room.
struct PlannedStage {
  /// Null for a load.
  ApplyOp op;
  /// Planes that it is ahead of the one that is stored.
  int64_t lead = 0;
  /// Where it is computed, from the points of a tile that are stored.
  OffsetBox needs;
  /// But not beyond here, from the points of all tiles: what windows with a
  /// boundary have there they do not take from it.
  OffsetBox limits;
  SmallVector<StageResult, 1> results;

  /// Whether tiles are computed in part on one side of an axis.
  bool isClipped(int64_t axis, bool upper) const {
    return upper ? limits.upper[axis] < needs.upper[axis]
                 : limits.lower[axis] > needs.lower[axis];
  }
};

/// A pipeline as a thread of a CPU goes through it. A thread computes stages
/// one after the other, so that what one makes is there for the next without
/// any wait: stages are no further ahead than what is read of them, and windows
/// no deeper, whatever the pipeline says for threads that wait for each other.
/// Of loads without a boundary, a cache is the window.
class PipelineWalk {
public:
  /// Fails with an error at what has no lowering.
  static FailureOr<PipelineWalk> create(PipelineOp op);

  /// In the order in which they are computed. Those that nobody needs are not
  /// among them.
  ArrayRef<PlannedStage> getStages() const { return stages; }
  std::optional<int64_t> getAxis() const { return axis; }
  BoundsAttr getDomain() const { return domain; }
  /// The largest distance of a point that is computed from those that are
  /// stored, along an axis.
  int64_t getHalo(int64_t axis) const;

private:
  explicit PipelineWalk(PipelineOp op)
      : axis(op.getWalkAxis()), domain(op.getDomain()) {}

  LogicalResult plan(PipelineOp op);
  LogicalResult checkFields(PipelineOp op) const;

  std::optional<int64_t> axis;
  BoundsAttr domain;
  std::vector<PlannedStage> stages;
};

/// The load, its window with a boundary, or the result of a stage, that a value
/// of a pipeline is: other windows are looked through.
Value getSource(Value value);

/// The walk of a pipeline, after what has to be rewritten for a CPU: sums over
/// planes become stages, windows of one value have one boundary, and what is
/// stored too early by stages that others read is stored later. Fails with an
/// error.
FailureOr<PipelineWalk> prepareWalk(PipelineOp op);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEWALK_H
