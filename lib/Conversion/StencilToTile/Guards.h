//===- Guards.h - Where and when something is made --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_GUARDS_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_GUARDS_H

#include "Rings.h"

namespace stencil {

/// What a stage is given beside its inputs in the pipeline.
struct StageExtra {
  mlir::Value value;
  /// Of which it is a source; null for what threads hold, and for a field.
  const MappedRing *ring = nullptr;
};

/// What ops of a pipeline read in memory.
class MemoryReads {
public:
  MemoryReads(const TiledPipeline &pipeline, const RingMap &rings)
      : pipeline(pipeline), rings(rings) {}

  /// Whether what an op makes is looked at point by point: whether somebody
  /// needs it, or else nothing is read.
  bool isGuarded(mlir::Operation *inner,
                 llvm::ArrayRef<StageExtra> extras = {}) const;
  bool readsField(ApplyOp stage, llvm::ArrayRef<StageExtra> extras) const;
  /// Whether an op reads planes of shared windows that the first iteration does
  /// not wait for: older ones than the newest.
  bool readsUnwritten(mlir::Operation *reader,
                      llvm::ArrayRef<StageExtra> extras = {}) const;
  /// The first plane of a ring that is there in the first iteration, counted
  /// from that. Copies bring none from before it.
  int64_t findFirst(const MappedRing &ring) const;

private:
  mlir::Operation *findRead(mlir::Value value) const;
  int64_t findOldest(ApplyOp stage, unsigned input) const;
  int64_t findOldest(mlir::OpOperand &use) const;

  const TiledPipeline &pipeline;
  const RingMap &rings;
};

/// The planes for which something is computed, of a segment of the walk.
struct WantedPlanes {
  OffsetBox planes;
  /// Of these, the ones that lie so around the domain; null: all.
  BoundsAttr within = {};
};

/// For which planes something is made if it may not be for any: the first
/// iterations, `lookback` planes ahead, are for planes that nobody needs.
class PlaneGuards {
public:
  PlaneGuards(const TiledPipeline &pipeline, const MemoryReads &reads,
              int64_t lookback)
      : pipeline(pipeline), reads(reads), lookback(lookback) {}

  std::optional<WantedPlanes>
  findPlanesOf(ApplyOp stage, llvm::ArrayRef<StageExtra> extras) const;
  std::optional<WantedPlanes> findPlanesOf(WindowOp window) const;
  /// The planes that are read for a store of what is in a ring.
  std::optional<WantedPlanes> findPlanesOf(StoreOp store,
                                           const MappedRing &ring) const;

private:
  bool isEarly(int64_t lead, const OffsetBox &needs) const;

  const TiledPipeline &pipeline;
  const MemoryReads &reads;
  int64_t lookback;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_GUARDS_H
