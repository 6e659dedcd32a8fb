//===- Match.cpp - Whether a device takes code ----------------------------===//

#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Error.h"
#include "StencilRuntime/Runtime.h"

#include <new>

using namespace stencil::runtime;

int32_t stencilMatchDevice(int32_t kind, const char *chip) {
  if (!chip || kind < 0 || kind >= kNumBackends)
    return 0;
  try {
    DeviceInfo info;
    BackendKind backend = static_cast<BackendKind>(kind);
    if (!queryDevice(backend, info).empty())
      return 0;
    return getBackend(backend).takes(info.chip, chip) ? 2 : 1;
  } catch (const Failure &) {
    return 0; // As queryDevice, which does not say so by throwing.
  } catch (const std::bad_alloc &) {
    return 0;
  }
}
