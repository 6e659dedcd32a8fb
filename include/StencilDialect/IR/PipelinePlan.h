//===- PipelinePlan.h - What the windows of a pipeline hold -----*- C++ -*-===//

#ifndef STENCILDIALECT_IR_PIPELINEPLAN_H
#define STENCILDIALECT_IR_PIPELINEPLAN_H

#include "StencilDialect/IR/StencilOps.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {

struct InputRead;

/// A box of offsets along all axes, both ends included.
struct OffsetBox {
  llvm::SmallVector<int64_t, 4> lower, upper;

  static OffsetBox zero(int64_t rank);
  /// What an op reads, along the axes of an apply of this rank: nothing beside
  /// the point along those that its input does not have.
  static OffsetBox ofRead(const InputRead &read, int64_t rank);
  /// The same as a half-open box, and the reverse.
  static OffsetBox ofBounds(BoundsAttr bounds);
  BoundsAttr toBounds(mlir::MLIRContext *context) const;
  /// Empty boxes join as nothing.
  void join(const OffsetBox &other);
  OffsetBox shifted(const OffsetBox &by) const;
  bool isEmpty() const { return lower.empty(); }
  bool isZero() const;
};

/// How many points of `needs`, around the points of `domain`, lie beyond a box,
/// on each side of each axis; none is negative.
OffsetBox getHaloReach(BoundsAttr domain, BoundsAttr box,
                       const OffsetBox &needs);

/// The needs that are left of what a stage makes if a window has a boundary
/// around it: on axes where the window reaches beyond its box, which has the
/// ends of the domain there, nothing beyond that.
OffsetBox clipNeeds(const OffsetBox &needs, const OffsetBox &reach);

/// The box beyond which nobody uses what a window has; null if there is none.
BoundsAttr getWithin(WindowOp window);

/// What is read of one value (load, window, result of a stage, accumulation) of
/// a pipeline.
struct PlannedValue {
  mlir::Value value;
  /// Relative to the points at which the readers compute.
  OffsetBox reads;
  /// Relative to the points that are stored: where the value is needed.
  OffsetBox needs;
  /// The same, relative to the points of a part of the stores: beyond a box
  /// that cuts the needs off at the ends of all parts, there are others.
  OffsetBox span;
  /// Relative to the points of a block: where it is computed or kept, for all
  /// that a block computes. A block computes all of its points in each stage,
  /// so this is what is needed, and that.
  OffsetBox held;
  /// Of a pipeline with an axis: the newest and the oldest plane that a reader
  /// touches, counted from the plane of the iteration.
  int64_t newest = 0, oldest = 0;
  /// The value in the iteration for plane p is that for plane p + lead. Loads
  /// have none.
  int64_t lead = 0;
};

/// Which values a pipeline keeps, and for how long.
class PipelinePlan {
public:
  /// Fails with an error at the op that breaks a rule of `stencil.pipeline`.
  static mlir::FailureOr<PipelinePlan> create(PipelineOp op);

  const PlannedValue &get(mlir::Value value) const {
    return values.find(value)->second;
  }
  /// False for a value that no store depends on.
  bool isNeeded(mlir::Value value) const {
    const auto *known = values.find(value);
    return known != values.end() && !known->second.needs.isEmpty();
  }
  /// Where the results of a stage are needed, relative to what is stored.
  const OffsetBox &getNeeds(ApplyOp stage) const {
    return stages.find(stage)->second;
  }
  const OffsetBox &getSpan(ApplyOp stage) const {
    return spans.find(stage)->second;
  }
  /// Where a block computes a stage, relative to its points.
  const OffsetBox &getHeld(ApplyOp stage) const {
    return heldStages.find(stage)->second;
  }
  int64_t getLead(ApplyOp stage) const;
  /// A store in the iteration for plane p is of plane p + lead.
  int64_t getLead(StoreOp store) const;

  /// How many points a window with a boundary reaches beyond the box of that,
  /// on each side of each axis; none is negative.
  OffsetBox getReach(WindowOp window) const;

  /// The box of the stores.
  BoundsAttr getDomain() const { return domain; }

  /// Planes before the first one that is stored: the iteration for plane p,
  /// which is the first to have work, is `lookback` before that for the first
  /// plane of the box. A multiple of the walk's step.
  int64_t getLookback() const { return lookback; }

private:
  explicit PipelinePlan(PipelineOp op)
      : op(op), axis(op.getWalkAxis()), step(op.getStep()),
        domain(op.getDomain()) {}

  mlir::LogicalResult visit(StoreOp store);
  mlir::LogicalResult visit(ApplyOp stage);
  mlir::LogicalResult visit(WindowOp window);
  mlir::LogicalResult visit(AccumulateOp sum);
  mlir::LogicalResult read(mlir::Operation *reader, mlir::Value value,
                           int64_t lead, const OffsetBox &reads,
                           const OffsetBox &needs, const OffsetBox &span,
                           const OffsetBox &held);
  mlir::LogicalResult checkRead(mlir::Operation *reader, mlir::Value value,
                                int64_t lead, const OffsetBox &reads);
  mlir::LogicalResult checkInField(mlir::Operation *reader, LoadOp load,
                                   llvm::ArrayRef<int64_t> axes,
                                   const OffsetBox &needs);
  mlir::LogicalResult checkBoundary(WindowOp window, LoadOp load,
                                    const OffsetBox &needs);
  mlir::LogicalResult checkStageBoundary(WindowOp window,
                                         const OffsetBox &needs);
  mlir::FailureOr<bool> checkEnds(WindowOp window, BoundsAttr box,
                                  const OffsetBox &reach, int64_t along);
  mlir::LogicalResult checkWithin(WindowOp window, BoundsAttr box,
                                  const OffsetBox &needs);
  void addWork(int64_t lead, const OffsetBox &span);

  PipelineOp op;
  std::optional<int64_t> axis;
  int64_t step;
  BoundsAttr domain;
  llvm::MapVector<mlir::Value, PlannedValue> values;
  llvm::DenseMap<mlir::Operation *, OffsetBox> stages, spans, heldStages;
  int64_t lookback = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_IR_PIPELINEPLAN_H
