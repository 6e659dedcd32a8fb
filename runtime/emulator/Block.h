//===- Block.h - The threads of a block, and what orders them -----*- C++
//-*-===//
//
// Clocks. A block has a counter that grows at every synchronisation, and each
// thread a clock, the counter's value when it last released something. A record
// of thread u with clock c is ordered before what thread t does if c is below
// the clock of the last barrier of the whole block, or not above t's view of u.
// Views exist only in blocks that synchronise otherwise than as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_EMULATOR_BLOCK_H
#define STENCIL_RUNTIME_EMULATOR_BLOCK_H

#include "Fiber.h"
#include "Shadow.h"
#include "StencilRuntime/Device.h"
#include "StencilRuntime/EmulatorImage.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>

namespace stencil::runtime::emulator {

class Launch;
struct Thread;
using LaneMask = uint64_t;
using View = std::vector<uint32_t>;

/// What a thread does at an operation of its warp.
struct Arrival {
  /// Operands, in memory of the thread.
  void *operands = nullptr;
  Thread *thread = nullptr;
};

/// An operation of a warp for which some lanes have come.
struct Meeting {
  /// In messages, as in "shuffle".
  const char *what = nullptr;
  const char *location = nullptr;
  LaneMask mask = 0, arrived = 0;
  Arrival lanes[64];
};

struct Warp {
  unsigned number = 0;
  /// The lanes that the block has threads for.
  LaneMask existing = 0;
  std::vector<Thread *> threads;
  std::vector<std::unique_ptr<Meeting>> meetings;
};

/// A copy that is under way; see AsyncCopy.cpp.
struct PendingCopy {
  char *target;
  std::vector<char> data;
  const char *location;
  /// What happened before the copy was issued.
  View released;
  /// Parts of the data that have no value at the source: offsets and bytes.
  std::vector<std::pair<size_t, size_t>> holes;

  /// Writes to the target, whose shadow is given: it has values then, but for
  /// the holes.
  void arrive(Shadow &shadow, size_t offset) const;
};

/// A store of a box that is under way: rows of it; see Tma.cpp.
struct PendingStore {
  const char *source;
  std::vector<char> data;
  /// Where the parts of the data go that lie in the tensor.
  struct Part {
    size_t offset, bytes;
    char *target;
  };
  std::vector<Part> parts;
  const char *location;
};

struct Thread {
  uint32_t index = 0;
  Dim3 id;
  unsigned lane = 0;
  Warp *warp = nullptr;
  uint32_t clock = 0;
  View view;
  std::unique_ptr<Fiber> fiber;
  bool finished = false;
  /// Null while it can run; else what it waits for and where.
  const char *waitsFor = nullptr;
  const char *waitsAt = nullptr;
  /// Copies by group, the last group being the open one.
  std::deque<std::vector<PendingCopy>> copies;
  std::deque<std::vector<PendingStore>> stores;
};

/// A barrier of a number of threads that has a number.
struct NamedBarrier {
  uint32_t expected = 0, arrived = 0;
  std::vector<Thread *> waiting;
  View released;
  const char *location = nullptr;
};

struct MBarrier;

inline constexpr char kBarrierName[] = "the block's barrier";

/// One block after the other runs in the same object.
class Block {
public:
  explicit Block(Launch &launch);
  ~Block();

  /// Runs all threads of a block; `number` counts through all launches. Ends
  /// early after a fault.
  void run(Dim3 id, uint32_t number);

  Launch &getLaunch() { return launch; }
  Dim3 getId() const { return id; }
  uint32_t getNumber() const { return number; }
  Thread &getThread(uint32_t index) { return threads[index]; }
  uint32_t getNumThreads() const { return threads.size(); }
  uint32_t getNumWarps() const { return warps.size(); }

  // Shared memory.
  /// The array that an address lies in; its number and where it begins. The
  /// dynamic memory comes last. False if it lies between arrays.
  struct SharedArray {
    size_t offset, bytes;
  };
  bool isShared(const void *address) const {
    return static_cast<size_t>(static_cast<const char *>(address) -
                               shared.data()) < shared.size();
  }
  const SharedArray *findArray(const void *address) const;
  const SharedArray &getArray(uint32_t i) const { return arrays[i]; }
  const SharedArray &getDynamicArray() const { return arrays.back(); }
  char *getShared() const { return shared.data(); }
  Shadow &getSharedShadow() { return sharedShadow; }

  /// What is known to have happened before the next access of a thread.
  Order getOrder(const Thread &thread, bool isShared) const;
  Record makeRecord(const Thread &thread, bool atomic,
                    const char *location) const {
    return Record(number, thread.clock, thread.index, atomic, location);
  }

  // Called by the running thread, inside of its fiber.
  Thread &getRunning() { return *running; }
  /// Lets others run until someone calls `wake`.
  void wait(const char *what, const char *location);
  void wake(Thread &thread);
  /// Leaves the running thread's fiber.
  void abandon();
  bool isOnStack(const void *address) const;
  /// Lets others run, then goes on.
  void yield();
  /// The block's barrier.
  void barrier(const char *location);
  void namedBarrier(uint32_t barrier, uint32_t numThreads, bool waits,
                    const char *location);
  /// Comes together with the lanes of `mask`. The last one to come calls
  /// `action` for all.
  void meet(const char *what, LaneMask mask, void *operands,
            const char *location, void (*action)(Block &, Meeting &));

  /// Everything that a thread did so far happens before what another does that
  /// acquires `into`.
  void release(Thread &thread, View &into);
  void acquire(Thread &thread, const View &from);

  /// Asks again later, unless it has been asked too often.
  void spin(const char *location);
  void stopSpinning() { numSpins = 0; }

  /// Barriers in shared memory, by address; see MBarrier.cpp.
  std::map<char *, std::unique_ptr<MBarrier>> mbarriers;

private:
  void layOutShared();
  void reset();
  void runPlain();
  void runFibers();
  /// Nothing can run: finishes copies that someone waits for, or reports why
  /// the threads wait for ever.
  bool progress();
  void reportStuck();
  std::string describe(const Thread &thread) const;
  static void runThread(void *argument);
  static void runAllThreads(void *argument);

  Launch &launch;
  Dim3 id;
  uint32_t number = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::mt19937_64 random;

  Mapping shared;
  Shadow sharedShadow;
  std::vector<SharedArray> arrays;

  Thread *running = nullptr;
  std::vector<Thread *> ready;
  std::vector<uint32_t> order;
  std::unique_ptr<Fiber> plainFiber;
  bool hasViews = false;

  uint32_t time = 0;
  uint32_t barrierClock = 0;
  uint32_t numAtBarrier = 0;
  uint32_t numFinished = 0;
  /// Questions in a row whether a barrier is complete that got a no.
  uint64_t numSpins = 0;
  std::map<uint32_t, NamedBarrier> namedBarriers;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_BLOCK_H
