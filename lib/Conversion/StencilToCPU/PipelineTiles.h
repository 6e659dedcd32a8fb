//===- PipelineTiles.h - How threads share a pipeline -----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINETILES_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINETILES_H

#include "LoopNest.h"
#include "PipelineWalk.h"
#include "ThreadCounters.h"

namespace stencil {

/// The tiles across the axis of a pipeline's walk, whole along that axis; those
/// of a pipeline without an axis are whole along none. A core's own cache holds
/// what a thread keeps of one. Threads have equal numbers of planes: the end of
/// one tile, some whole ones, the beginning of another. Where they are dealt
/// out, a share is in pieces, which threads that are done take of others.
class PipelineTiles {
public:
  PipelineTiles(LoopBuilder &b, const PipelineWalk &walk, const LoopBox &box,
                CPULoopsAttr loops);

  /// The largest size of a tile along each axis.
  llvm::ArrayRef<mlir::Value> getSizes() const { return sizes; }

  using Prepare = llvm::function_ref<void()>;
  /// Runs `prepare` on every thread, then `body` for its tiles, then `finish`.
  mlir::LogicalResult emit(Prepare prepare, TileBody body,
                           Prepare finish) const;

private:
  void findSizes(const PipelineWalk &walk);
  LoopBox getTile(mlir::Value number) const;
  ThreadCounters makeCounters() const;
  mlir::LogicalResult emitPiece(mlir::Value first, mlir::Value end,
                                TileBody body) const;
  mlir::LogicalResult emitDealt(mlir::Value thread, mlir::Value total,
                                mlir::Value pieces,
                                const ThreadCounters &counters,
                                TileBody body) const;

  LoopBuilder &b;
  const Arithmetic &math;
  std::optional<int64_t> axis;
  LoopBox box;
  CPULoopsAttr loops;
  /// Per axis; numbers of tiles.
  llvm::SmallVector<mlir::Value> lengths, sizes, counts;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINETILES_H
