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
  /// Questions about the current phase that got a no.
  uint32_t polls = 0;
  /// Copies of the current phase that will arrive, in order.
  std::vector<PendingCopy> copies;
  /// The number of the copies, and the clock of the last one issued.
  uint32_t agent = 0, lastCopy = 0;
  /// A copy of the last phase that had one; null once someone has waited for
  /// it.
  const char *unwaited = nullptr;
  uint64_t unwaitedPhase = 0;
  std::vector<Thread *> waiting;
  /// What is ordered before the end of the current phase; of the phases before
  /// it, the last one last.
  Known released;
  std::deque<Known> completed;
  /// Who initialised it when, and whether a fence.mbarrier_init has followed.
  uint32_t initThread = 0, initClock = 0;
  const char *initLocation = nullptr;
  bool isInitFenced = false;
};

/// The barrier at an address of shared memory, which the running thread
/// accesses; fails if there is none.
MBarrier &getMBarrier(Launch &launch, void *address, const char *location);

/// Fails unless the async proxy sees the barrier as it was initialised.
void checkInitIsFenced(Launch &launch, const MBarrier &barrier,
                       const char *location);

/// Adds a copy to the current phase; it may arrive at once.
void addCopy(Block &block, MBarrier &barrier, PendingCopy copy);

/// Lets those copies of one barrier arrive for which `isDue`.
void completeTransfers(
    Block &block, MBarrier &barrier,
    const std::function<bool()> &isDue = [] { return true; });

/// Of a barrier that a thread waits for; false if there is none with copies.
bool completeTransfers(Block &block);

/// At the end of a block: no copy may be left.
void checkMBarriers(Block &block);

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_MBARRIER_H
