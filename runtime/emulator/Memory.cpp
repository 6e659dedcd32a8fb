//===- Memory.cpp - Checks of accesses ------------------------------------===//

#include "Access.h"
#include "StencilRuntime/EmulatorCalls.h"

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

static std::string describeAccess(int64_t bytes, int32_t access) {
  const char *what = access & AccessAtomic  ? "atomic access to "
                     : access & AccessWrite ? "write of "
                                            : "read of ";
  return what + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

Place stencil::runtime::emulator::locate(Launch &launch, const void *address,
                                         int64_t bytes, int32_t access,
                                         const char *location) {
  const char *where = static_cast<const char *>(address);
  Block &block = launch.getBlock();
  if (block.isShared(address)) {
    const Block::SharedArray *array = block.findArray(address);
    size_t offset = where - block.getShared();
    if (array && offset + bytes <= array->offset + array->bytes)
      return {&block.getSharedShadow(), offset, true};
    // The nearest array before tells most.
    const Block::SharedArray *nearest = &block.getArray(0);
    for (uint32_t i = 0; &block.getArray(i) != &block.getDynamicArray(); ++i)
      if (block.getArray(i).offset <= offset)
        nearest = &block.getArray(i);
    if (block.getDynamicArray().offset <= offset &&
        block.getDynamicArray().bytes)
      nearest = &block.getDynamicArray();
    launch.failInThread(
        "out-of-bounds " + describeAccess(bytes, access) +
            " of shared memory, at byte " +
            std::to_string(static_cast<int64_t>(offset - nearest->offset)) +
            " of an array of " + std::to_string(nearest->bytes) + " bytes",
        location);
  }
  Allocation *allocation = launch.getMemory().find(address);
  if (allocation && where + bytes <= allocation->end())
    return {&allocation->shadow,
            static_cast<size_t>(where - allocation->begin()), false};
  launch.failInThread("out-of-bounds " + describeAccess(bytes, access) +
                          " of global memory, " +
                          launch.getMemory().describe(address),
                      location);
}

static const char *getName(const Place &place) {
  return place.isShared ? "shared" : "global";
}

/// A part of a vector may be without a value.
static void checkValue(Launch &launch, const Place &place, int64_t bytes,
                       int32_t access, const char *location) {
  bool defined = access & AccessVector
                     ? place.shadow->isAnyDefined(place.offset, bytes)
                     : place.shadow->isAllDefined(place.offset, bytes);
  if (!defined)
    launch.failInThread(describeAccess(bytes, access) + " of " +
                            getName(place) + " memory that has no value yet",
                        location);
}

void stencil::runtime::emulator::checkAccess(Launch &launch, const Place &place,
                                             int64_t bytes, int32_t access,
                                             const char *location) {
  Block &block = launch.getBlock();
  Thread &thread = block.getRunning();
  bool isWrite = access & AccessWrite;
  Record record = block.makeRecord(thread, access & AccessAtomic, location);
  Order order = block.getOrder(thread, place.getSpace());
  if (const Record *other =
          place.shadow->access(place.offset, bytes, isWrite, record, order))
    launch.failInThread("race on " + std::string(getName(place)) +
                            " memory: " + describeAccess(bytes, access),
                        location,
                        "with an access by " + launch.describe(*other));
  // An atomic operation reads, too.
  if ((!isWrite && !(access & AccessCopy)) || access & AccessAtomic)
    checkValue(launch, place, bytes, access, location);
  if (isWrite)
    place.shadow->setDefined(place.offset, bytes, true);
}

void stencil::runtime::emulator::checkCopy(Launch &launch, const Place &place,
                                           int64_t bytes, int32_t access,
                                           const Copier &copier,
                                           const char *location) {
  Block &block = launch.getBlock();
  Thread &thread = block.getRunning();
  bool isWrite = access & AccessWrite;
  Record record(block.getNumber(), copier.clock, copier.agent,
                /*atomic=*/false, location);
  Order order = block.getOrder(thread, place.getSpace());
  order.isProxied = copier.isBulk;
  order.proxied = thread.proxied[static_cast<unsigned>(place.getSpace())];
  const Record *other =
      place.shadow->access(place.offset, bytes, isWrite, record, order);
  if (other) {
    order.isProxied = false;
    std::string what = std::string(isWrite ? "write of " : "read of ") +
                       std::to_string(bytes) + " bytes of " + getName(place) +
                       " memory by an asynchronous copy";
    std::string who = "an access by " + launch.describe(*other);
    if (order.isOrdered(*other))
      launch.failInThread("missing fence.proxy.async: " + what, location,
                          "it follows " + who);
    launch.failInThread("race: " + what, location, "with " + who);
  }
  if (!isWrite && !(access & AccessCopy))
    checkValue(launch, place, bytes, access, location);
}

void stencilEmulatorCheck(const void *address, int64_t bytes, int64_t alignment,
                          int32_t access, const char *location) {
  // A lane of a vector that is masked out.
  if (bytes == 0)
    return;
  Launch &launch = *Launch::getCurrent();
  Block &block = launch.getBlock();
  if (block.isOnStack(address))
    return;
  if (alignment > 1 && reinterpret_cast<uintptr_t>(address) % alignment != 0)
    launch.failInThread("misaligned " + describeAccess(bytes, access) +
                            ": the address is no multiple of " +
                            std::to_string(alignment) + " bytes",
                        location);
  Place place = locate(launch, address, bytes, access, location);
  if (launch.banks && place.isShared) {
    const Thread &thread = block.getRunning();
    launch.banks->note(thread.warp->number, thread.lane, location, place.offset,
                       bytes);
  }
  // Whoever waits for another thread by reading lets it run.
  if (access & AccessAtomic && block.hasFibers())
    block.spin(location);
  checkAccess(launch, place, bytes, access, location);
  if (access & AccessAtomic)
    block.observeAtomic(block.getRunning(),
                        place.isShared ? block.sharedVariables[address]
                                       : launch.variables[address],
                        access);
}

/// What is located has been checked: this finds it again.
static Place locateAgain(const void *address, int64_t bytes) {
  return locate(*Launch::getCurrent(), address, bytes, AccessCopy, "");
}

int32_t stencilEmulatorHasValue(const void *address, int64_t bytes) {
  if (Launch::getCurrent()->getBlock().isOnStack(address))
    return true;
  Place place = locateAgain(address, bytes);
  return place.shadow->isAnyDefined(place.offset, bytes);
}

void stencilEmulatorMoveValue(const void *address, int64_t bytes,
                              int32_t hasValue) {
  if (hasValue)
    return;
  Place place = locateAgain(address, bytes);
  place.shadow->setDefined(place.offset, bytes, false);
}
