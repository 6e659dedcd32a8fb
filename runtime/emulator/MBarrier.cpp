//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//
//
// A phase ends when all its arrivals and all bytes that it expects have come.
// Bytes come when a thread waits for them, or, by the seed, before.
//
//===----------------------------------------------------------------------===//

#include "MBarrier.h"
#include "Access.h"
#include "StencilRuntime/EmulatorCalls.h"

#include <algorithm>
#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

/// Ends the phase if nothing is missing.
static void endPhase(Block &block, MBarrier &barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  if (barrier.lastCopy)
    barrier.released.addAgent(barrier.agent, barrier.lastCopy, /*isBulk=*/true);
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

static void report(Block &block, const std::string &what,
                   const char *location) {
  Launch &launch = block.getLaunch();
  if (!launch.hasFault())
    launch.setFault(what + ", in kernel " + launch.getKernel().name +
                    ", block " + print(block.getId()) + ", at " + location);
}

static void reportSurplus(Block &block, int64_t bytes, const char *location) {
  report(block,
         "mbarrier: copies have brought " + std::to_string(bytes) +
             " bytes more than were expected in their phase",
         location);
}

/// Fails if the phase cannot end any more.
static void checkBytes(Block &block, const MBarrier &barrier,
                       const char *location) {
  constexpr int64_t limit = (1 << 20) - 1;
  if (barrier.pending == 0 && barrier.bytes < 0)
    reportSurplus(block, -barrier.bytes, location);
  if (std::abs(barrier.bytes) > limit)
    report(block,
           "mbarrier: expected at most " + std::to_string(limit) +
               " bytes under way in a phase, got " +
               std::to_string(std::abs(barrier.bytes)),
           location);
}

/// Leaves the running thread if something has been reported.
static void leaveAfterFault(Block &block) {
  while (block.getLaunch().hasFault())
    block.abandon();
}

void stencil::runtime::emulator::completeTransfers(
    Block &block, MBarrier &barrier, const std::function<bool()> &isDue) {
  uint64_t phase = barrier.phase;
  std::vector<PendingCopy> copies, left;
  copies.swap(barrier.copies);
  for (PendingCopy &copy : copies) {
    if (!isDue()) {
      left.push_back(std::move(copy));
      continue;
    }
    auto bytes = static_cast<int64_t>(copy.data.size());
    copy.arrive(block.getSharedShadow(), copy.target - block.getShared());
    barrier.bytes -= bytes;
    // A phase that has had all its bytes ends without the rest of its copies.
    if (barrier.phase != phase)
      reportSurplus(block, bytes, copy.location);
    checkBytes(block, barrier, copy.location);
    endPhase(block, barrier);
  }
  for (PendingCopy &copy : left)
    barrier.copies.push_back(std::move(copy));
}

void stencil::runtime::emulator::addCopy(Block &block, MBarrier &barrier,
                                         PendingCopy copy) {
  barrier.lastCopy = copy.clock;
  barrier.unwaited = copy.location;
  barrier.unwaitedPhase = barrier.phase;
  barrier.copies.push_back(std::move(copy));
  if (block.completesNow())
    completeTransfers(block, barrier);
  leaveAfterFault(block);
}

bool stencil::runtime::emulator::completeTransfers(Block &block) {
  // One that somebody waits for is enough to go on.
  for (auto &[address, barrier] : block.mbarriers)
    if (!barrier->copies.empty() && !barrier->waiting.empty()) {
      completeTransfers(block, *barrier);
      return true;
    }
  return false;
}

void stencil::runtime::emulator::checkMBarriers(Block &block) {
  for (auto &[address, barrier] : block.mbarriers)
    if (barrier->unwaited)
      report(block,
             "the block ends before its bulk copies, which a thread must wait "
             "for",
             barrier->unwaited);
}

void stencil::runtime::emulator::checkInitIsFenced(Launch &launch,
                                                   const MBarrier &barrier,
                                                   const char *location) {
  if (barrier.isInitFenced)
    return;
  Block &block = launch.getBlock();
  Order order = block.getOrder(block.getRunning(), Space::Shared);
  order.isProxied = true;
  order.proxied = block.getRunning().proxied[0];
  if (!order.isOrdered(Record(block.getNumber(), barrier.initClock,
                              barrier.initThread, false, "")))
    launch.failInThread(
        "missing fence.mbarrier_init or fence.proxy.async: an "
        "asynchronous copy uses an mbarrier",
        location, std::string("it was initialised at ") + barrier.initLocation);
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
  Block &block = launch.getBlock();
  auto &state = block.mbarriers[static_cast<char *>(barrier)];
  state = std::make_unique<MBarrier>();
  state->count = state->pending = count;
  state->initThread = block.getRunning().index;
  state->initClock = block.getRunning().clock;
  state->initLocation = location;
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
  checkBytes(block, state, location);
  leaveAfterFault(block);
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
  // Who waits lets all others go as far as they can. Who asks again and again
  // gets an answer when all may have asked.
  if (!isOver() && !waits) {
    if (++state.polls > block.getNumThreads() || block.completesNow())
      completeTransfers(block, state);
    leaveAfterFault(block);
    if (!isOver())
      block.spin(location);
  }
  while (!isOver()) {
    if (!waits)
      return 0;
    state.waiting.push_back(&thread);
    block.wait("an mbarrier", location);
  }
  state.polls = 0;
  // A parity means the last phase that had it, which is the last one.
  size_t back = isParity ? 1 : state.phase - static_cast<uint64_t>(phase);
  if (state.phase - back >= state.unwaitedPhase)
    state.unwaited = nullptr;
  size_t known = state.completed.size();
  if (known > 0)
    block.acquire(thread, state.completed[known - std::min(back, known)]);
  return 1;
}
