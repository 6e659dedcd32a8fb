//===- Fences.cpp - Proxy fences, membars, atomic operations --------------===//
//
// A fence before an atomic write releases, one behind an atomic read acquires:
// whoever reads what was written has what came before it behind it (PTX ISA,
// "Memory Consistency Model", release and acquire patterns). Without a fence an
// atomic operation orders nothing, unless it has an order of its own.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "MBarrier.h"
#include "StencilRuntime/EmulatorCalls.h"

#include <algorithm>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

void Block::fenceProxy(Thread &thread, bool shared, bool global) {
  for (unsigned i = 0; i < kNumSpaces; ++i) {
    if (!(i == static_cast<unsigned>(Space::Shared) ? shared : global))
      continue;
    Clocks &seen = thread.known.proxied[i];
    seen.floor = std::max(seen.floor, common.threads.floor);
    seen.join(thread.known.threads);
    thread.proxied[i] = thread.clock;
  }
  thread.known.fenceAgents(common);
  thread.known.fenceAgents(thread.known);
  thread.clock = tick();
}

Known Block::getKnown(const Thread &thread) const {
  Known all = common;
  all.join(thread.known);
  all.threads.add(thread.index, thread.clock);
  for (unsigned i = 0; i < kNumSpaces; ++i)
    if (thread.proxied[i])
      all.proxied[i].add(thread.index, thread.proxied[i]);
  return all;
}

void Block::fence(Thread &thread, Scope scope) {
  // One for the device is one for the block, too.
  for (unsigned i = 0; i <= static_cast<unsigned>(scope); ++i) {
    thread.known.join(thread.observed[i]);
    thread.observed[i] = {};
  }
  Known all = getKnown(thread);
  for (unsigned i = 0; i <= static_cast<unsigned>(scope); ++i)
    thread.fenced[i] = all;
  thread.clock = tick();
}

void Block::observeAtomic(Thread &thread, SyncVariable &variable,
                          int32_t access) {
  auto blockScope = static_cast<unsigned>(Scope::Block);
  auto deviceScope = static_cast<unsigned>(Scope::Device);
  bool isWrite = access & AccessWrite, isRead = !isWrite || access & AccessRead;
  bool hasBlockScope = access & AccessBlockScope;
  if (isRead) {
    Known &near = thread.observed[blockScope],
          &far = thread.observed[deviceScope];
    if (variable.block == number)
      near.join(variable.released);
    far.addBlocks(variable.released.blocks);
    if (access & AccessAcquire) {
      thread.known.join(near);
      if (!hasBlockScope)
        thread.known.join(far);
    }
  }
  if (!isWrite)
    return;
  // What follows a read in the same operation continues what was released.
  if (variable.block != number || !(access & AccessRead)) {
    auto blocks = variable.released.blocks;
    variable.released = {};
    if (access & AccessRead)
      variable.released.blocks = std::move(blocks);
  }
  variable.block = number;
  bool releases = access & AccessRelease;
  variable.released.join(releases ? getKnown(thread)
                                  : thread.fenced[blockScope]);
  const Known &far = releases && !hasBlockScope ? variable.released
                                                : thread.fenced[deviceScope];
  variable.released.addBlock(number, Clocks(far.threads));
  if (releases)
    thread.clock = tick();
}

void stencilEmulatorFence(int32_t scope, const char *) {
  Block &block = Launch::getCurrent()->getBlock();
  block.fence(block.getRunning(), scope ? Scope::Device : Scope::Block);
}

void stencilEmulatorFenceProxy(int32_t shared, int32_t global, const char *) {
  Block &block = Launch::getCurrent()->getBlock();
  block.fenceProxy(block.getRunning(), shared, global);
}

void stencilEmulatorFenceMBarrierInit(const char *) {
  Block &block = Launch::getCurrent()->getBlock();
  for (auto &[address, barrier] : block.mbarriers)
    if (barrier->initThread == block.getRunning().index)
      barrier->isInitFenced = true;
}
