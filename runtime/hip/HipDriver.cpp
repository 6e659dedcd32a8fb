//===- HipDriver.cpp - AMD's HIP library, found at run time ---------------===//

#include "HipDriver.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

using namespace stencil::runtime;
using namespace stencil::runtime::hip;

std::string HipDriver::load() {
  SharedLibrary library;
  std::string problem = library.load({"libamdhip64.so.7", "libamdhip64.so.6",
                                      "libamdhip64.so.5", "libamdhip64.so"});
  if (!problem.empty())
    return "no HIP driver: " + problem;

  const char *missing = nullptr;
#define HIP_TWIN(name, symbol, ...)                                            \
  if (!name.load(library))                                                     \
    missing = #symbol;
#define HIP_FUNCTION(symbol, ...) HIP_TWIN(symbol, symbol)
#include "HipFunctions.def"
  if (!hipGetErrorName.load(library))
    missing = "hipGetErrorName";
  if (!hipGetErrorString.load(library))
    missing = "hipGetErrorString";
  if (missing)
    return "the HIP driver is too old: expected one of HIP 5.2 or newer, but " +
           library.getName() + " has no " + missing;
  void *properties = library.find("hipGetDevicePropertiesR0600");
  if (!properties)
    properties = library.find("hipGetDeviceProperties");
  hipGetDeviceProperties =
      reinterpret_cast<decltype(hipGetDeviceProperties)>(properties);

  hipError_t result = hipInit(0);
  if (result == hipSuccess)
    return "";
  std::string text = describeError(describe(result, "hipInit"));
  bool none = result == hipErrorNoDevice || result == hipErrorInvalidDevice;
  return (none ? "no HIP device: " : "no HIP driver that works: ") + text;
}

std::string HipDriver::countDevices(int &count) const {
  hipError_t result = hipGetDeviceCount(&count);
  return result == hipSuccess || result == hipErrorNoDevice
             ? ""
             : describeError(describe(result, "hipGetDeviceCount"));
}

DriverError HipDriver::describe(hipError_t result, const char *call) const {
  return {call, hipGetErrorName(result), static_cast<int>(result),
          hipGetErrorString(result)};
}

/// The name lies in a structure whose layout is another one in each major
/// version of HIP. In all of them it is the only text that begins with "gfx",
/// so it is looked for, in more bytes than any of them has.
std::string HipDriver::getChip() const {
  constexpr size_t enough = 1 << 16;
  std::vector<char> properties(enough);
  if (!hipGetDeviceProperties ||
      hipGetDeviceProperties(properties.data(), device) != hipSuccess)
    return "";
  constexpr std::string_view prefix = "gfx";
  auto start = properties.begin();
  while (true) {
    start = std::search(start, properties.end(), prefix.begin(), prefix.end());
    if (start == properties.end())
      return "";
    auto end =
        std::find_if_not(start + prefix.size(), properties.end(),
                         [](unsigned char c) { return std::isxdigit(c); });
    // "gfx942:sramecc+:xnack-" is what a binary may ask for; the chip comes
    // first.
    if (end - start > ptrdiff_t(prefix.size()))
      return std::string(start, end);
    start = end;
  }
}
