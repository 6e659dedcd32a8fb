//===- AsyncCopy.cpp - cp.async -------------------------------------------===//
//
// A copy reads its source at once but arrives when it is waited for. Until then
// its target is poison without a value, so that a missing wait is noticed even
// where an older value would do.
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
  Thread &thread = launch.getBlock().getRunning();
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
  stencilEmulatorCheck(source, sourceBytes, bytes, AccessCopy, location);
  if (reinterpret_cast<uintptr_t>(target) % bytes != 0)
    launch.failInThread("misaligned asynchronous copy: the target is no " +
                            std::string("multiple of ") +
                            std::to_string(bytes) + " bytes",
                        location);
  Place place = locate(launch, target, bytes, AccessWrite, location);
  if (!place.isShared)
    launch.failInThread("asynchronous copy to global memory, expected shared",
                        location);
  checkAccess(launch, place, bytes, AccessWrite, location);

  PendingCopy copy = {static_cast<char *>(target), {}, location, {}, {}};
  copy.data.assign(bytes, 0);
  std::memcpy(copy.data.data(), source, sourceBytes);
  if (sourceBytes) {
    Place from = locate(launch, source, sourceBytes, AccessCopy, location);
    from.shadow->findHoles(from.offset, sourceBytes, 0, copy.holes);
  }
  poison(target, bytes);
  place.shadow->setDefined(place.offset, bytes, false);
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

void stencilEmulatorAsyncWait(int32_t groups, const char *location) {
  (void)location;
  Launch &launch = *Launch::getCurrent();
  Thread &thread = launch.getBlock().getRunning();
  // The last group is open: it is not waited for.
  while (thread.copies.size() > size_t(groups) + 1) {
    for (const PendingCopy &copy : thread.copies.front()) {
      auto bytes = static_cast<int64_t>(copy.data.size());
      Place place =
          locate(launch, copy.target, bytes, AccessWrite, copy.location);
      // It may have arrived at any time until now.
      checkAccess(launch, place, bytes, AccessWrite, copy.location);
      copy.arrive(*place.shadow, place.offset);
    }
    thread.copies.pop_front();
  }
}
