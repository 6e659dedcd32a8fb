//===- Match.cpp - Whether a device takes code ----------------------------===//

#include "StencilRuntime/Device.h"
#include "StencilRuntime/Error.h"
#include "StencilRuntime/Runtime.h"

#include <cctype>
#include <cstdlib>
#include <new>

using namespace stencil::runtime;

/// 103 of "sm_103a", with "a" as what follows the number; 0 of another name.
static long readNumber(const std::string &chip, std::string &rest) {
  if (chip.rfind("sm_", 0) != 0)
    return 0;
  char *end = nullptr;
  long number = std::strtol(chip.c_str() + 3, &end, 10);
  rest = end;
  return number;
}

/// Binaries for NVIDIA's GPUs run on the same major version from their minor
/// version on; those of "a" on that version only, those of "f" as the first.
static bool takesCuda(const std::string &device, const std::string &chip) {
  std::string kind, none;
  long has = readNumber(device, none), wants = readNumber(chip, kind);
  if (!has || !wants)
    return false;
  return kind == "a" ? has == wants : has / 10 == wants / 10 && has >= wants;
}

/// "gfx90a:sramecc+:xnack-" is a gfx90a.
static bool takesHip(const std::string &device, const std::string &chip) {
  return device.substr(0, device.find(':')) == chip.substr(0, chip.find(':'));
}

int32_t stencilMatchDevice(int32_t kind, const char *chip) {
  if (!chip || kind < 0 || kind >= kNumBackends)
    return 0;
  try {
    DeviceInfo info;
    BackendKind backend = static_cast<BackendKind>(kind);
    if (!queryDevice(backend, info).empty())
      return 0;
    bool takes = backend == BackendKind::Emulator ||
                 (backend == BackendKind::CUDA ? takesCuda(info.chip, chip)
                                               : takesHip(info.chip, chip));
    return takes ? 2 : 1;
  } catch (const Failure &) {
    return 0; // As queryDevice, which does not say so by throwing.
  } catch (const std::bad_alloc &) {
    return 0;
  }
}
