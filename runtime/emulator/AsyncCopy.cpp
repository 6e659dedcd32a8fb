//===- AsyncCopy.cpp - cp.async -------------------------------------------===//
//
// A copy reads its source at once but arrives when it is waited for, or, by the
// seed, before. Until it is waited for, other accesses to source and target
// race with it; until it arrives, its target is poison without a value.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "StencilRuntime/EmulatorCalls.h"

#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

void stencilEmulatorAsyncCopy(void *target, const void *source, int64_t bytes,
                              int64_t sourceBytes, const char *location) {
  Launch &launch = *Launch::getCurrent();
  Block &block = launch.getBlock();
  Thread &thread = block.getRunning();
  if (bytes != 4 && bytes != 8 && bytes != 16)
    launch.failInThread(
        "expected an asynchronous copy of 4, 8 or 16 bytes, got " +
            std::to_string(bytes),
        location);
  if (sourceBytes < 0 || sourceBytes > bytes)
    launch.failInThread("expected an asynchronous copy to read 0 to " +
                            std::to_string(bytes) + " bytes, got " +
                            std::to_string(sourceBytes),
                        location);
  // The addresses are aligned to the whole, also of a copy that reads less.
  for (const void *address : {source, static_cast<const void *>(target)})
    if (reinterpret_cast<uintptr_t>(address) % bytes != 0)
      launch.failInThread(
          "misaligned asynchronous copy: the " +
              std::string(address == source ? "source" : "target") +
              " is no multiple of " + std::to_string(bytes) + " bytes",
          location);
  Place place = locate(launch, target, bytes, AccessWrite, location);
  if (!place.isShared)
    launch.failInThread("asynchronous copy to global memory, expected shared",
                        location);
  // cp.async accesses memory as threads do (PTX ISA, "Async proxy").
  Copier copier = {block.getAgent(thread.copyAgent, location), block.tick(),
                   /*isBulk=*/false};
  PendingCopy copy = {
      static_cast<char *>(target), {}, location, copier.clock, {}};
  copy.data.assign(bytes, 0);
  if (sourceBytes) {
    Place from = locate(launch, source, sourceBytes, AccessCopy, location);
    checkCopy(launch, from, sourceBytes, AccessCopy, copier, location);
    from.shadow->findHoles(from.offset, sourceBytes, 0, copy.holes);
    std::memcpy(copy.data.data(), source, sourceBytes);
  }
  checkCopy(launch, place, bytes, AccessWrite, copier, location);
  poison(target, bytes);
  place.shadow->setDefined(place.offset, bytes, false);
  if (block.completesNow())
    copy.arrive(*place.shadow, place.offset);
  if (thread.copies.empty())
    thread.copies.emplace_back();
  thread.copies.back().push_back(std::move(copy));
}

void stencilEmulatorAsyncCommit() {
  Thread &thread = Launch::getCurrent()->getBlock().getRunning();
  if (thread.copies.empty())
    thread.copies.emplace_back();
  thread.copies.emplace_back();
}

void stencilEmulatorAsyncWait(int32_t groups, const char *) {
  Block &block = Launch::getCurrent()->getBlock();
  Thread &thread = block.getRunning();
  // The last group is open: it is not waited for.
  while (thread.copies.size() > size_t(groups) + 1) {
    for (PendingCopy &copy : thread.copies.front()) {
      if (!copy.hasArrived)
        copy.arrive(block.getSharedShadow(), copy.target - block.getShared());
      thread.known.addAgent(thread.copyAgent, copy.clock, /*isBulk=*/false);
    }
    thread.copies.pop_front();
  }
}
