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

void PendingCopy::arrive(Shadow &shadow, size_t offset) const {
  std::memcpy(target, data.data(), data.size());
  shadow.setDefined(offset, data.size(), true);
  for (auto [begin, bytes] : holes)
    shadow.setDefined(offset + begin, bytes, false);
}

Block::Block(Launch &launch) : launch(launch), random(launch.getSeed()) {
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

Order Block::getOrder(const Thread &thread, bool isShared) const {
  return {launch.getFirstBlock(),
          number,
          thread.index,
          barrierClock,
          thread.view.empty() ? nullptr : thread.view.data(),
          isShared,
          &launch.getConcurrent()};
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Block::reset() {
  for (const SharedArray &array : arrays) {
    poison(shared.data() + array.offset, array.bytes);
    sharedShadow.setDefined(array.offset, array.bytes, false);
  }
  time = barrierClock = 1;
  numAtBarrier = numFinished = 0;
  numSpins = 0;
  hasViews = false;
  namedBarriers.clear();
  mbarriers.clear();
  for (Warp &warp : warps)
    warp.meetings.clear();
  for (Thread &thread : threads) {
    thread.clock = 1;
    thread.view.clear();
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
  for (const auto &group : block->running->stores)
    if (!group.empty())
      block->launch.failInThread("the thread ends before its bulk copies, "
                                 "which it must wait for",
                                 group.front().location);
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
    if (ready.empty() && !progress()) {
      reportStuck();
      return;
    }
    std::vector<Thread *> round;
    round.swap(ready);
    std::shuffle(round.begin(), round.end(), random);
    for (Thread *thread : round) {
      running = thread;
      thread->fiber->enter();
      if (launch.hasFault())
        return;
    }
  }
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

bool Block::progress() { return completeTransfers(*this); }

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
