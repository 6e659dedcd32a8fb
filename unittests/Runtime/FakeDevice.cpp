//===- FakeDevice.cpp - What tests ask the stand-ins ----------------------===//

#include "FakeDevice.h"

using namespace fake;

Device fake::device;

extern "C" {

/// The calls since the last time.
const char *fakeTakeLog() {
  static std::string taken;
  taken = std::move(device.log);
  device.log.clear();
  return taken.c_str();
}

/// The same, with all arguments.
const char *fakeTakeArguments() {
  static std::string taken;
  taken = device.takeArguments();
  return taken.c_str();
}

/// Names memory of the test; without a name, forgets it.
void fakeName(const void *address, size_t bytes, const char *name) {
  getNames().erase(address);
  if (name)
    getNames()[address] = {name, bytes};
}

} // extern "C"
