//===- MBarrier.h - Barriers in shared memory ---------------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_MBARRIER_H
#define STENCIL_RUNTIME_EMULATOR_MBARRIER_H

#include "Block.h"

namespace stencil::runtime::emulator {

/// An mbarrier (PTX ISA, section "Parallel Synchronization and Communication
/// Instructions: mbarrier").
struct MBarrier {
  /// Arrivals that a phase needs; those that the current one still needs.
  uint32_t count = 0, pending = 0;
  /// Bytes that the current phase still expects.
  int64_t bytes = 0;
  /// Phases that are complete.
  uint64_t phase = 0;
  /// Copies that will arrive, in order.
  std::vector<PendingCopy> copies;
  std::vector<Thread *> waiting;
  /// What is ordered before the end of the current phase; of the phases before
  /// it, the last one last.
  View released;
  std::deque<View> completed;
};

/// The barrier at an address of shared memory, which the running thread
/// accesses; fails if there is none.
MBarrier &getMBarrier(Launch &launch, void *address, const char *location);

/// Lets the copies of one barrier arrive.
void completeTransfers(Block &block, MBarrier &barrier);

/// Of all barriers; false if there are no copies.
bool completeTransfers(Block &block);

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_MBARRIER_H
