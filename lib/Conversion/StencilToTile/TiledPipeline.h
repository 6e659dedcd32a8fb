//===- TiledPipeline.h - What is known of a mapped pipeline -----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_TILEDPIPELINE_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_TILEDPIPELINE_H

#include "StencilToTile.h"

namespace stencil {

/// A pipeline that becomes a kernel, and what has been found out of it.
class MappedPipeline {
public:
  MappedPipeline(PipelineOp op, const KernelFacts &facts)
      : facts(facts), plan(*facts.plan), axis(op.getWalkAxis()), op(op) {}

  const KernelFacts &facts;
  const PipelinePlan &plan;
  /// Of the walk.
  std::optional<int64_t> axis;

  PipelineOp getOp() const { return op; }
  template <typename OpTy> auto getOps() const {
    return getOp().getBodyBlock()->getOps<OpTy>();
  }
  mlir::Location getLoc() const { return getOp().getLoc(); }
  mlir::MLIRContext *getContext() const {
    return plan.getDomain().getContext();
  }
  int64_t getRank() const { return plan.getDomain().getRank(); }

  bool isRelay() const { return facts.relayNeeds.has_value(); }
  /// Whether a window has what threads have computed, not memory.
  bool isOfStage(WindowOp window) const;
  /// Whether the pipeline stores to the field that is loaded.
  bool isStoredTo(LoadOp load) const;
  /// In the iteration for plane p, plane p + lead is stored.
  int64_t getLead(StoreOp store) const {
    return axis ? plan.getLead(store) : 0;
  }
  /// The plane of a window that is brought or made.
  int64_t getLead(WindowOp window) const {
    return axis ? plan.get(window.getRes()).lead : 0;
  }

private:
  PipelineOp op;
};

/// The grid of a pipeline: tiles, what blocks store of them, segments. Fails
/// with an error at the op that there can be none for.
mlir::FailureOr<tile::GridAttr> chooseGrid(const MappedPipeline &pipeline);

/// A pipeline in tiles.
class TiledPipeline : public MappedPipeline {
public:
  TiledPipeline(const MappedPipeline &pipeline, tile::GridAttr grid)
      : MappedPipeline(pipeline), grid(grid) {}

  tile::GridAttr grid;

  /// The tile, at plane p + lead of a walk.
  mlir::Type getTileType(mlir::Type elementType, int64_t lead) const;
  /// The points that somebody needs, around the domain; along the walk, around
  /// a segment.
  OffsetBox getGuard(const OffsetBox &needs, const OffsetBox &span) const;
  OffsetBox getGuard(const PlannedValue &planned) const {
    return getGuard(planned.needs, planned.span);
  }
  OffsetBox getGuard(ApplyOp stage) const {
    return getGuard(plan.getNeeds(stage), plan.getSpan(stage));
  }
  /// Whether the walk has planes around a segment, for the points that a block
  /// stores, which no one needs at the ends of the domain.
  bool isCut(const OffsetBox &needs, const OffsetBox &span) const;
  /// Whether a box of offsets has points beside the tile, in the plane.
  bool isBesideTile(const OffsetBox &box) const;

  /// Whether the shared window that a window copies does not have any more what
  /// is read of the copy.
  bool isLost(WindowOp window) const;
  /// Whether a window is read through lanes: along the walk a thread has all
  /// planes. What is computed beside the tile has no such neighbours, and what
  /// a shared window has lost is in registers, as it is read.
  bool hasLanes(WindowOp window) const;
  /// Whether a window in registers is kept as values: each thread has what its
  /// own points read. Other neighbours that are read in registers are read
  /// where these come from.
  bool isQueue(WindowOp window) const;
};

inline mlir::Type getElementType(mlir::Value value) {
  return mlir::cast<GridType>(value.getType()).getElementType();
}

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_TILEDPIPELINE_H
