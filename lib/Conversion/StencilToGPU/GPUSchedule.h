//===- GPUSchedule.h - Shape of an apply's kernel ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_GPUSCHEDULE_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_GPUSCHEDULE_H

#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// A schedule without gaps. Lists have one entry per axis of the apply.
struct GPUSchedule {
  /// Threads of a block.
  llvm::SmallVector<int64_t> block;
  /// Evaluations of the body per thread; each gives a point, or as many as the
  /// apply's unroll factors say.
  llvm::SmallVector<int64_t> points;
  /// Axes, the one along which successive blocks lie first.
  llvm::SmallVector<int64_t> order;
  /// Blocks that are walked before the other axes go on; 0: all.
  llvm::SmallVector<int64_t> panel;
  /// Blocks per multiprocessor to make room for; 0: as it comes.
  int64_t launchBounds = 0;
  /// The axis along which a block asks the second-level cache for what the next
  /// block is the first one to read.
  std::optional<int64_t> prefetchAxis;
  /// What the kernel reads, the second-level cache gives up last.
  bool keepsLines = false;
  /// The axis that the kernel walks along, one thread deep, and the pieces that
  /// it is cut into.
  std::optional<int64_t> walk;
  int64_t segments = 1;
  /// Planes of a piece, at least, if the launch is to count the pieces.
  std::optional<int64_t> planes;
  /// Legs of a walk, for each of which a block has the threads of `block`.
  int64_t relay = 1;

  /// Threads along x, y, z: the last axis is x.
  std::array<int64_t, 3> getThreads() const;
};

/// The schedule of a bufferised apply, from its own attribute, which
/// stencil-tile-applies has completed. Fails with an error at the apply if it
/// does not fit it or the target.
mlir::FailureOr<GPUSchedule> readApplySchedule(ApplyOp op,
                                               const TargetInfo &target);

/// The schedule of a pipeline, from its own attribute.
mlir::FailureOr<GPUSchedule> readPipelineSchedule(PipelineOp op,
                                                  const TargetInfo &target);

/// What the tiles of a pipeline begin at a multiple of along the last axis:
/// where sectors of all fields do.
int64_t getRowAlignment(PipelineOp op, const GPUSchedule &schedule);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_GPUSCHEDULE_H
