//===- Block.h - The threads of a block, and what orders them -----*- C++
//-*-===//
//
// A thread is a fiber. What orders the accesses of threads is in Known.h.
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

class DeviceMemory;
class Launch;
struct Thread;
using LaneMask = uint64_t;

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

/// When asynchronous copies are complete: as late as anybody can tell, at once,
/// or at some time between. Chosen by the seed.
enum class Completion : uint8_t { Random, Late, Early };

/// A copy to shared memory that is under way; see AsyncCopy.cpp.
struct PendingCopy {
  char *target;
  std::vector<char> data;
  const char *location;
  /// The agent's clock.
  uint32_t clock;
  /// Parts of the data that have no value at the source: offsets and bytes.
  std::vector<std::pair<size_t, size_t>> holes;
  bool hasArrived = false;

  /// Writes to the target, whose shadow is given: it has values then, but for
  /// the holes.
  void arrive(Shadow &shadow, size_t offset);
};

/// A store of a box that is under way: rows of it; see Tma.cpp.
struct PendingStore {
  std::vector<char> data;
  /// Where the parts of the data go that lie in the tensor.
  struct Part {
    size_t offset, bytes;
    char *target;
  };
  std::vector<Part> parts;
  const char *location;
  uint32_t clock;
  bool hasArrived = false;

  void arrive(DeviceMemory &memory);
};

/// Stores that are waited for together.
struct StoreGroup {
  std::vector<PendingStore> stores;
  /// Whether the tiles have been read, as someone has waited for.
  bool isRead = false;
};

/// Of a fence: orders for the threads of the block, or of the device.
enum class Scope : uint8_t { Block, Device };
inline constexpr unsigned kNumScopes = 2;

struct Thread {
  uint32_t index = 0;
  Dim3 id;
  unsigned lane = 0;
  Warp *warp = nullptr;
  uint32_t clock = 0;
  /// Beside what all threads know since the last barrier of the block.
  Known known;
  /// By space: up to which clock a proxy fence has followed its own accesses.
  uint32_t proxied[kNumSpaces] = {};
  /// What it knew at its last fence (membar), by scope, and what it has read
  /// that others had released, which its next fence acquires.
  Known fenced[kNumScopes], observed[kNumScopes];
  std::unique_ptr<Fiber> fiber;
  bool finished = false;
  /// Null while it can run; else what it waits for and where.
  const char *waitsFor = nullptr;
  const char *waitsAt = nullptr;
  /// Copies by group, the last group being the open one.
  std::deque<std::vector<PendingCopy>> copies;
  std::deque<StoreGroup> stores;
  /// The numbers of its asynchronous copies, of the reads and of the writes of
  /// its bulk stores; 0 if there have been none.
  uint32_t copyAgent = 0, readAgent = 0, writeAgent = 0;
};

/// A number that atomic operations access: what those released that wrote it.
struct SyncVariable {
  uint32_t block = 0;
  Known released;
};

/// A barrier of a number of threads that has a number.
struct NamedBarrier {
  uint32_t expected = 0, arrived = 0;
  std::vector<Thread *> waiting;
  Known released;
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
  Order getOrder(const Thread &thread, Space space) const;
  Record makeRecord(const Thread &thread, bool atomic,
                    const char *location) const {
    return Record(number, thread.clock, thread.index, atomic, location);
  }
  /// The number of an agent (Known.h); makes one if it is 0.
  uint32_t getAgent(uint32_t &agent, const char *location);
  /// A new time, later than all so far.
  uint32_t tick() { return ++time; }
  /// Whether a copy that has just been issued is complete.
  bool completesNow() {
    return completion == Completion::Early ||
           (completion == Completion::Random && random() % 4 == 0);
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
  void release(Thread &thread, Known &into);
  void acquire(Thread &thread, const Known &from) { thread.known.join(from); }
  /// fence.proxy.async: bulk copies see what happened so far in these spaces.
  void fenceProxy(Thread &thread, bool shared, bool global);
  /// membar; see Fences.cpp.
  void fence(Thread &thread, Scope scope);
  void observeAtomic(Thread &thread, SyncVariable &variable, int32_t access);
  std::map<const void *, SyncVariable> sharedVariables;
  bool hasFibers() const { return !plainFiber; }

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
  /// Nothing can run: says why the threads wait for ever.
  void reportStuck();
  /// Some of the copies that are under way arrive.
  void completeSome();
  /// The rest of them, at the end.
  void finish();
  /// All that a thread knows, what all know included.
  Known getKnown(const Thread &thread) const;
  std::string describe(const Thread &thread) const;
  static void runThread(void *argument);
  static void runAllThreads(void *argument);

  Launch &launch;
  Dim3 id;
  uint32_t number = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::mt19937_64 random;
  Completion completion;

  Mapping shared;
  Shadow sharedShadow;
  std::vector<SharedArray> arrays;

  Thread *running = nullptr;
  std::vector<Thread *> ready;
  std::vector<uint32_t> order;
  std::unique_ptr<Fiber> plainFiber;

  uint32_t time = 0;
  uint32_t numAgents = 0;
  /// What all threads know since the last barrier of the whole block.
  Known common;
  uint32_t numAtBarrier = 0;
  uint32_t numFinished = 0;
  /// Questions in a row whether a barrier is complete that got a no.
  uint64_t numSpins = 0;
  /// Threads that yielded in this round; rounds in a row in which all did.
  size_t numYields = 0;
  uint64_t numIdleRounds = 0;
  std::map<uint32_t, NamedBarrier> namedBarriers;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_BLOCK_H
