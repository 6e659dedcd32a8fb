//===- OrderedMemory.cpp - Temporaries in the order of a stream -----------===//
//
// What a function has taken from the caller's stream it gives back before the
// stream has run: the driver's allocator knows when it is free, or we do, with
// an event behind its last use. Such blocks are kept for later calls.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "StencilRuntime/Error.h"

#include <map>
#include <mutex>

using namespace stencil::runtime;

namespace {

struct Block {
  Backend *backend = nullptr;
  uint64_t bytes = 0;
  void *stream = nullptr;
  /// The driver's allocator has it.
  bool isDrivers = false;
  /// Of a block that is kept: behind its last use.
  void *lastUse = nullptr;
};

class OrderedMemory {
public:
  void *allocate(Backend &backend, uint64_t bytes, void *stream);
  bool free(void *address, void *stream);

private:
  void *reuse(Backend &backend, uint64_t bytes, void *stream);
  void release(Backend &backend);

  std::mutex mutex;
  std::map<void *, Block> used, kept;
};

} // namespace

static OrderedMemory &getMemory() {
  // Never destroyed, as the backends.
  static OrderedMemory *memory = new OrderedMemory;
  return *memory;
}

/// A block that is kept and not much too large. Whoever used it last has to be
/// done when the stream gets there.
void *OrderedMemory::reuse(Backend &backend, uint64_t bytes, void *stream) {
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    Block block = it->second;
    if (block.backend != &backend || block.bytes < bytes ||
        block.bytes / 2 > bytes)
      continue;
    void *address = it->first;
    backend.waitForEvent(stream, block.lastUse);
    backend.destroyEvent(block.lastUse);
    kept.erase(it);
    block.stream = stream;
    block.lastUse = nullptr;
    used[address] = block;
    return address;
  }
  return nullptr;
}

/// Gives the driver back what is kept.
void OrderedMemory::release(Backend &backend) {
  for (auto it = kept.begin(); it != kept.end();) {
    if (it->second.backend != &backend) {
      ++it;
      continue;
    }
    backend.synchronizeEvent(it->second.lastUse);
    backend.destroyEvent(it->second.lastUse);
    backend.free(it->first, nullptr);
    it = kept.erase(it);
  }
}

void *OrderedMemory::allocate(Backend &backend, uint64_t bytes, void *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  Block block;
  block.backend = &backend;
  block.bytes = bytes;
  block.stream = stream;
  block.isDrivers = backend.hasOrderedMemory();
  void *address = nullptr;
  if (block.isDrivers) {
    address = backend.allocateOrdered(bytes, stream);
  } else {
    if (backend.isCapturing(stream))
      fail("expected a stream that is not being captured, as the program needs "
           "memory of its own, and the driver has no allocations in the order "
           "of a stream");
    if (void *known = reuse(backend, bytes, stream))
      return known;
    address = backend.allocate(bytes, stream, /*hostShared=*/false);
    if (!address) {
      release(backend);
      address = backend.allocate(bytes, stream, /*hostShared=*/false);
    }
  }
  if (address)
    used[address] = block;
  return address;
}

bool OrderedMemory::free(void *address, void *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = used.find(address);
  if (it == used.end())
    return false;
  Block block = it->second;
  used.erase(it);
  // A function that fails does not know its stream any more.
  if (!stream)
    stream = block.stream;
  if (block.isDrivers) {
    block.backend->freeOrdered(address, stream);
    return true;
  }
  block.lastUse = block.backend->createEvent(/*timing=*/false);
  block.backend->recordEvent(block.lastUse, stream);
  kept[address] = block;
  return true;
}

void *stencil::runtime::allocateInOrder(Backend &backend, uint64_t bytes,
                                        void *stream) {
  return getMemory().allocate(backend, bytes, stream);
}

bool stencil::runtime::freeInOrder(Backend &, void *address, void *stream) {
  return getMemory().free(address, stream);
}
