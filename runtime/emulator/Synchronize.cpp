//===- Synchronize.cpp - Barriers of a block, meetings of a warp ----------===//

#include "Launch.h"

#include <algorithm>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

//===----------------------------------------------------------------------===//
// What orders accesses
//===----------------------------------------------------------------------===//

void Block::release(Thread &thread, Known &into) {
  into.join(thread.known);
  into.threads.add(thread.index, thread.clock);
  for (unsigned i = 0; i < kNumSpaces; ++i)
    if (thread.proxied[i])
      into.proxied[i].add(thread.index, thread.proxied[i]);
  thread.clock = tick();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Block::barrier(const char *location) {
  Thread &self = *running;
  // Who came first says which barrier it is.
  for (const Thread &other : threads)
    if (other.waitsFor == kBarrierName && other.waitsAt != location)
      launch.failInThread("divergent barrier", location,
                          "thread " + print(other.id) +
                              " waits at the barrier at " + other.waitsAt);
  if (++numAtBarrier < threads.size()) {
    wait(kBarrierName, location);
    return;
  }
  numAtBarrier = 0;
  stopSpinning();
  if (launch.banks)
    launch.banks->flush();
  // Of what a thread knows beyond the floor, all that is left to tell is what
  // is not about accesses of threads.
  common.threads.floor = tick();
  for (Thread &thread : threads) {
    thread.known.threads = {};
    common.join(thread.known);
    for (unsigned i = 0; i < kNumSpaces; ++i)
      if (thread.proxied[i])
        common.proxied[i].add(thread.index, thread.proxied[i]);
    thread.known = {};
    thread.clock = time;
    if (&thread != &self)
      wake(thread);
  }
}

void Block::namedBarrier(uint32_t barrier, uint32_t numThreads, bool waits,
                         const char *location) {
  Thread &self = *running;
  if (numThreads == 0)
    numThreads = threads.size();
  NamedBarrier &state = namedBarriers[barrier];
  if (state.arrived == 0) {
    state.expected = numThreads;
    state.location = location;
  } else if (state.expected != numThreads) {
    launch.failInThread("barrier " + std::to_string(barrier) + " for " +
                            std::to_string(numThreads) + " threads",
                        location,
                        "the barrier at " + std::string(state.location) +
                            " has the same " + "number, for " +
                            std::to_string(state.expected) + " threads");
  }
  release(self, state.released);
  if (++state.arrived < numThreads) {
    if (!waits)
      return;
    state.waiting.push_back(&self);
    wait("a barrier with a number", location);
    return;
  }
  // The next use of the number is another barrier.
  NamedBarrier done = std::move(state);
  namedBarriers.erase(barrier);
  if (waits)
    acquire(self, done.released);
  for (Thread *thread : done.waiting) {
    acquire(*thread, done.released);
    wake(*thread);
  }
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

static std::string printMask(LaneMask mask) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  do
    text.insert(text.begin(), digits[mask & 15]);
  while (mask >>= 4);
  return "0x" + text;
}

void Block::meet(const char *what, LaneMask mask, void *operands,
                 const char *location, void (*action)(Block &, Meeting &)) {
  Thread &self = *running;
  Warp &warp = *self.warp;
  LaneMask own = LaneMask(1) << self.lane;
  if (!(mask & own))
    launch.failInThread(std::string(what) + " with mask " + printMask(mask) +
                            ", which does not name lane " +
                            std::to_string(self.lane) + " that executes it",
                        location);
  mask &= warp.existing;
  auto found = warp.meetings.begin();
  auto fits = [&](const Meeting &meeting) {
    return meeting.what == what && meeting.location == location &&
           meeting.mask == mask && !(meeting.arrived & own);
  };
  while (found != warp.meetings.end() && !fits(**found))
    ++found;
  if (found == warp.meetings.end()) {
    found = warp.meetings.insert(found, std::make_unique<Meeting>());
    (*found)->what = what;
    (*found)->location = location;
    (*found)->mask = mask;
  }
  Meeting &meeting = **found;
  meeting.arrived |= own;
  meeting.lanes[self.lane] = {operands, &self};
  if (meeting.arrived != mask) {
    wait(what, location);
    return;
  }
  std::unique_ptr<Meeting> done = std::move(*found);
  warp.meetings.erase(found);
  action(*this, *done);
  for (Arrival &lane : done->lanes)
    if (lane.thread && lane.thread != &self)
      wake(*lane.thread);
}
