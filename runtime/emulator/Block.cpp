//===- Block.cpp - The threads of a block ---------------------------------===//

#include "Block.h"
#include "Launch.h"
#include "MBarrier.h"

#include <algorithm>
#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

/// Between arrays in shared memory, so that leaving one is noticed.
static constexpr size_t kSharedRedzone = 64;

void PendingCopy::arrive(Shadow &shadow, size_t offset) {
  hasArrived = true;
  std::memcpy(target, data.data(), data.size());
  shadow.setDefined(offset, data.size(), true);
  for (auto [begin, bytes] : holes)
    shadow.setDefined(offset + begin, bytes, false);
}

void PendingStore::arrive(DeviceMemory &memory) {
  hasArrived = true;
  for (const Part &part : parts) {
    std::memcpy(part.target, data.data() + part.offset, part.bytes);
    memory.setDefined(part.target, part.bytes);
  }
}

Block::Block(Launch &launch)
    : launch(launch),
      // Launches of a program differ, too.
      random(launch.getSeed() + (uint64_t(launch.getFirstBlock()) << 32)),
      completion(static_cast<Completion>(launch.getSeed() % 3)) {
  const LaunchShape &shape = launch.getShape();
  unsigned warpSize = launch.getWarpSize();
  threads.resize(shape.block.count());
  warps.resize((threads.size() + warpSize - 1) / warpSize);
  for (uint32_t i = 0; i < threads.size(); ++i) {
    Thread &thread = threads[i];
    thread.index = i;
    thread.id = unflatten(i, shape.block);
    thread.lane = i % warpSize;
    thread.warp = &warps[i / warpSize];
    thread.warp->number = i / warpSize;
    thread.warp->existing |= LaneMask(1) << thread.lane;
    thread.warp->threads.push_back(&thread);
    if (launch.getKernel().usesFibers)
      thread.fiber = std::make_unique<Fiber>();
    order.push_back(i);
  }
  if (!launch.getKernel().usesFibers)
    plainFiber = std::make_unique<Fiber>();
  layOutShared();
}

Block::~Block() = default;

void Block::layOutShared() {
  const EmulatorKernel &kernel = launch.getKernel();
  size_t end = kSharedRedzone;
  auto add = [&](size_t bytes, size_t alignment) {
    end = (end + alignment - 1) / alignment * alignment;
    arrays.push_back({end, bytes});
    end += bytes + kSharedRedzone;
  };
  for (uint32_t i = 0; i < kernel.numArrays; ++i)
    add(kernel.arrays[i].bytes, kernel.arrays[i].alignment);
  // Aligned for whatever the program keeps there.
  add(launch.getShape().dynamicSharedBytes, 1024);
  shared = Mapping(end);
  sharedShadow = Shadow(end);
}

const Block::SharedArray *Block::findArray(const void *address) const {
  size_t offset = static_cast<const char *>(address) - shared.data();
  for (const SharedArray &array : arrays)
    if (offset - array.offset < array.bytes)
      return &array;
  return nullptr;
}

Order Block::getOrder(const Thread &thread, Space space) const {
  return {launch.getFirstBlock(),
          number,
          thread.index,
          getNumThreads(),
          &common,
          &thread.known,
          space,
          &launch.getConcurrent()};
}

uint32_t Block::getAgent(uint32_t &agent, const char *location) {
  constexpr uint32_t limit = 1 << 15;
  if (agent == 0) {
    agent = (getNumThreads() + 1) / 2 * 2 + 2 * numAgents++;
    if (agent + 1 >= limit)
      launch.failInThread("more kinds of asynchronous copies in a block than "
                          "the emulator can tell apart",
                          location);
  }
  return agent;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Block::reset() {
  for (const SharedArray &array : arrays) {
    poison(shared.data() + array.offset, array.bytes);
    sharedShadow.setDefined(array.offset, array.bytes, false);
  }
  time = 1;
  numAgents = 0;
  common = {};
  common.threads.floor = 1;
  numAtBarrier = numFinished = 0;
  numSpins = 0;
  namedBarriers.clear();
  mbarriers.clear();
  sharedVariables.clear();
  for (Warp &warp : warps)
    warp.meetings.clear();
  for (Thread &thread : threads) {
    thread.clock = 1;
    thread.known = {};
    thread.proxied[0] = thread.proxied[1] = 0;
    for (unsigned i = 0; i < kNumScopes; ++i)
      thread.fenced[i] = thread.observed[i] = {};
    thread.copyAgent = thread.readAgent = thread.writeAgent = 0;
    thread.finished = false;
    thread.waitsFor = nullptr;
    thread.copies.clear();
    thread.stores.clear();
  }
}

void Block::run(Dim3 newId, uint32_t newNumber) {
  id = newId;
  number = newNumber;
  reset();
  std::shuffle(order.begin(), order.end(), random);
  if (plainFiber)
    runPlain();
  else
    runFibers();
  if (!launch.hasFault())
    finish();
}

/// Threads that never wait for each other run one after another.
void Block::runPlain() {
  plainFiber->start(runAllThreads, this);
  plainFiber->enter();
}

void Block::runAllThreads(void *argument) {
  auto *block = static_cast<Block *>(argument);
  for (uint32_t i : block->order) {
    block->running = &block->threads[i];
    block->launch.runEntry();
  }
}

void Block::runThread(void *argument) {
  auto *block = static_cast<Block *>(argument);
  block->launch.runEntry();
  for (const StoreGroup &group : block->running->stores)
    if (!group.stores.empty() && !group.isRead)
      block->launch.failInThread("the thread ends before its bulk copies, "
                                 "which it must wait for",
                                 group.stores.front().location);
  block->running->finished = true;
  ++block->numFinished;
  block->stopSpinning();
}

void Block::runFibers() {
  ready.clear();
  for (uint32_t i : order) {
    threads[i].fiber->start(runThread, this);
    ready.push_back(&threads[i]);
  }
  while (!launch.hasFault() && numFinished < threads.size()) {
    if (ready.empty() && !completeTransfers(*this)) {
      reportStuck();
      return;
    }
    std::vector<Thread *> round;
    round.swap(ready);
    numYields = 0;
    std::shuffle(round.begin(), round.end(), random);
    for (Thread *thread : round) {
      running = thread;
      thread->fiber->enter();
      if (launch.hasFault())
        return;
    }
    if (completion == Completion::Random)
      completeSome();
    // Threads that ask again and again may wait for one that waits for a copy.
    constexpr unsigned patience = 16;
    numIdleRounds = numYields == round.size() ? numIdleRounds + 1 : 0;
    if (numIdleRounds % patience == patience - 1)
      completeTransfers(*this);
  }
}

void Block::completeSome() {
  auto isDue = [&] { return random() % 4 == 0; };
  for (auto &[address, barrier] : mbarriers)
    if (!barrier->copies.empty() && isDue())
      completeTransfers(*this, *barrier, isDue);
  for (Thread &thread : threads) {
    for (auto &group : thread.copies)
      for (PendingCopy &copy : group)
        if (!copy.hasArrived && isDue())
          copy.arrive(sharedShadow, copy.target - shared.data());
    for (StoreGroup &group : thread.stores)
      for (PendingStore &store : group.stores)
        if (!store.hasArrived && isDue())
          store.arrive(launch.getMemory());
  }
}

void Block::finish() {
  if (launch.banks)
    launch.banks->flush();
  checkMBarriers(*this);
  for (Thread &thread : threads)
    for (StoreGroup &group : thread.stores)
      for (PendingStore &store : group.stores)
        if (!store.hasArrived)
          store.arrive(launch.getMemory());
}

void Block::abandon() {
  if (plainFiber)
    plainFiber->leave();
  else
    running->fiber->leave();
}

bool Block::isOnStack(const void *address) const {
  const Fiber &fiber = plainFiber ? *plainFiber : *running->fiber;
  return fiber.getStack().contains(address);
}

void Block::wait(const char *what, const char *location) {
  Thread &self = *running;
  self.waitsFor = what;
  self.waitsAt = location;
  self.fiber->leave();
}

void Block::wake(Thread &thread) {
  thread.waitsFor = nullptr;
  ready.push_back(&thread);
}

void Block::yield() {
  ++numYields;
  ready.push_back(running);
  running->fiber->leave();
}

void Block::spin(const char *location) {
  constexpr uint64_t limit = 10'000'000;
  if (++numSpins > limit)
    launch.failInThread("waits for ever", location);
  yield();
}

//===----------------------------------------------------------------------===//
// Threads that wait for ever
//===----------------------------------------------------------------------===//

std::string Block::describe(const Thread &thread) const {
  std::string text = "thread " + print(thread.id);
  if (thread.finished)
    return text + " has finished";
  return text + " waits for " + thread.waitsFor + " at " + thread.waitsAt;
}

void Block::reportStuck() {
  // One of each kind tells the story.
  const Thread *first = nullptr, *other = nullptr;
  for (const Thread &thread : threads)
    if (!thread.finished) {
      first = &thread;
      break;
    }
  for (const Thread &thread : threads)
    if (thread.finished || thread.waitsAt != first->waitsAt ||
        thread.waitsFor != first->waitsFor) {
      other = &thread;
      break;
    }
  std::string fault = "threads wait for ever, in kernel " +
                      std::string(launch.getKernel().name) + ", block " +
                      print(id) + ": " + describe(*first);
  if (other)
    fault += ", but " + describe(*other);
  launch.setFault(fault);
}
