//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//
//
// A phase ends when all its arrivals and all bytes that it expects have come.
// Bytes come as late as possible: when a thread waits for them.
//
//===----------------------------------------------------------------------===//

#include "MBarrier.h"
#include "Access.h"
#include "StencilRuntime/EmulatorCalls.h"

#include <algorithm>
#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

static void join(View &into, const View &from) {
  into.resize(std::max(into.size(), from.size()));
  for (size_t i = 0; i < from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

/// Ends the phase if nothing is missing.
static void endPhase(Block &block, MBarrier &barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  // Who waits for a phase that is long over gets what the oldest known one has.
  constexpr size_t kept = 8;
  barrier.completed.push_back(barrier.released);
  if (barrier.completed.size() > kept)
    barrier.completed.pop_front();
  block.stopSpinning();
  for (Thread *thread : barrier.waiting)
    block.wake(*thread);
  barrier.waiting.clear();
}

void stencil::runtime::emulator::completeTransfers(Block &block,
                                                   MBarrier &barrier) {
  std::vector<PendingCopy> copies;
  copies.swap(barrier.copies);
  for (const PendingCopy &copy : copies) {
    copy.arrive(block.getSharedShadow(), copy.target - block.getShared());
    join(barrier.released, copy.released);
    barrier.bytes -= static_cast<int64_t>(copy.data.size());
    endPhase(block, barrier);
  }
}

bool stencil::runtime::emulator::completeTransfers(Block &block) {
  bool any = false;
  for (auto &[address, barrier] : block.mbarriers) {
    any |= !barrier->copies.empty();
    completeTransfers(block, *barrier);
  }
  return any;
}

static Place locateBarrier(Launch &launch, void *address,
                           const char *location) {
  if (reinterpret_cast<uintptr_t>(address) % 8 != 0)
    launch.failInThread("misaligned mbarrier: the address is no multiple of 8 "
                        "bytes",
                        location);
  Place place = locate(launch, address, 8, AccessWrite, location);
  if (!place.isShared)
    launch.failInThread("mbarrier in global memory, expected shared", location);
  return place;
}

MBarrier &stencil::runtime::emulator::getMBarrier(Launch &launch, void *address,
                                                  const char *location) {
  Place place = locateBarrier(launch, address, location);
  auto found = launch.getBlock().mbarriers.find(static_cast<char *>(address));
  if (found == launch.getBlock().mbarriers.end())
    launch.failInThread("mbarrier that has not been initialised", location);
  // Whoever uses it does so after it was initialised.
  checkAccess(launch, place, 8, AccessWrite | AccessAtomic, location);
  return *found->second;
}

void stencilEmulatorMBarrierInit(void *barrier, int32_t count,
                                 const char *location) {
  Launch &launch = *Launch::getCurrent();
  Place place = locateBarrier(launch, barrier, location);
  if (count < 1 || count >= 1 << 20)
    launch.failInThread("expected an mbarrier's count from 1 to 1048575, got " +
                            std::to_string(count),
                        location);
  checkAccess(launch, place, 8, AccessWrite, location);
  auto &state = launch.getBlock().mbarriers[static_cast<char *>(barrier)];
  state = std::make_unique<MBarrier>();
  state->count = state->pending = count;
}

int64_t stencilEmulatorMBarrierArrive(void *barrier, int32_t count,
                                      int64_t bytes, const char *location) {
  Launch &launch = *Launch::getCurrent();
  Block &block = launch.getBlock();
  MBarrier &state = getMBarrier(launch, barrier, location);
  auto phase = static_cast<int64_t>(state.phase);
  if (count < 0 || static_cast<uint32_t>(count) > state.pending)
    launch.failInThread("mbarrier: " + std::to_string(count) +
                            " arrivals, expected at most " +
                            std::to_string(state.pending) + " more of " +
                            std::to_string(state.count) + " in this phase",
                        location);
  state.bytes += bytes;
  state.pending -= count;
  if (count)
    block.release(block.getRunning(), state.released);
  endPhase(block, state);
  return phase;
}

int32_t stencilEmulatorMBarrierWait(void *barrier, int64_t phase,
                                    int32_t isParity, int32_t waits,
                                    const char *location) {
  Launch &launch = *Launch::getCurrent();
  Block &block = launch.getBlock();
  Thread &thread = block.getRunning();
  MBarrier &state = getMBarrier(launch, barrier, location);
  auto isOver = [&]() {
    auto current = static_cast<int64_t>(state.phase);
    return isParity ? (current & 1) != (phase & 1) : current > phase;
  };
  if (!isOver())
    completeTransfers(block, state);
  if (!isOver() && !waits)
    block.spin(location);
  while (!isOver()) {
    if (!waits)
      return 0;
    state.waiting.push_back(&thread);
    block.wait("an mbarrier", location);
    if (!isOver())
      completeTransfers(block, state);
  }
  // A parity means the last phase that had it, which is the last one.
  size_t back = isParity ? 1 : state.phase - static_cast<uint64_t>(phase);
  size_t known = state.completed.size();
  if (known > 0)
    block.acquire(thread, state.completed[known - std::min(back, known)]);
  return 1;
}
