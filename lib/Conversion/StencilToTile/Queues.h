//===- Queues.h - What threads keep from plane to plane ---------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_QUEUES_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_QUEUES_H

#include "Chains.h"

namespace stencil {

/// What a walk carries for a window in registers, or for the partial sums of an
/// accumulation. Number k of a window of lead L is plane p + L - 1 - k of the
/// iteration; of a sum, what has its terms up to number k.
struct MappedQueue {
  llvm::SmallVector<mlir::Type> types;
  /// At which offsets each thread has values, for its own points; 0 along the
  /// walk.
  llvm::SmallVector<llvm::SmallVector<int64_t>> offsets;

  /// Offset by offset, as many values as there are types.
  llvm::SmallVector<mlir::Type> listCarried() const {
    llvm::SmallVector<mlir::Type> all;
    for (size_t number = 0; number < offsets.size(); ++number)
      llvm::append_range(all, types);
    return all;
  }
  bool hasNeighbours() const {
    return offsets.size() > 1 ||
           llvm::any_of(offsets.front(), [](int64_t at) { return at != 0; });
  }
};

/// By window and by accumulation.
using QueueMap = llvm::MapVector<mlir::Operation *, MappedQueue>;

/// Fails with an error at a window whose neighbours no thread has.
mlir::FailureOr<QueueMap> planQueues(const TiledPipeline &pipeline,
                                     const Chains &chains);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_QUEUES_H
