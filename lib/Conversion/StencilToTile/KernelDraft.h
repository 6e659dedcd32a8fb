//===- KernelDraft.h - What is decided of a kernel --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELDRAFT_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELDRAFT_H

#include "Lanes.h"

namespace stencil {

/// What is found out of a pipeline before anything of its kernel is written.
struct KernelDraft {
  const TiledPipeline &pipeline;
  const RingMap &rings;
  const Chains &chains;
  const QueueMap &queues;
  const LanePlan &lanes;
  const MemoryReads &reads;
  const PlaneGuards &guards;
  /// Iterations before the first plane.
  int64_t lookback;

  /// All that a walk carries, in order.
  llvm::SmallVector<const MappedQueue *> listCarried() const {
    llvm::SmallVector<const MappedQueue *> all;
    for (const auto &[inner, queue] : queues)
      all.push_back(&queue);
    for (const auto &[key, columns] : lanes.lanes)
      all.push_back(&columns.queue);
    return all;
  }
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELDRAFT_H
