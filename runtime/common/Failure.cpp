//===- Failure.cpp - Messages, and the end of the process -----------------===//

#include "Failure.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace stencil::runtime;

//===----------------------------------------------------------------------===//
// The handler
//===----------------------------------------------------------------------===//

static std::atomic<ErrorHandler> currentHandler{nullptr};

ErrorHandler stencil::runtime::setErrorHandler(ErrorHandler handler) {
  return currentHandler.exchange(handler);
}

void stencil::runtime::fail(const std::string &message) {
  if (ErrorHandler handler = currentHandler)
    handler(message.c_str());
  else
    std::fprintf(stderr, "error: %s\n", message.c_str());
  // No destructors: they would call the driver that just failed.
  std::fflush(stdout);
  std::_Exit(1);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// A copy of the name: the module that has it may be gone by the time it is
/// printed. Launches are frequent, so no lock; a name cut by another thread's
/// would still be only a name in a message.
static constexpr size_t kMaxName = 128;
static std::atomic<char> lastKernel[kMaxName];
static std::atomic<const char *> lastName{nullptr};

void stencil::runtime::noteLaunch(const char *kernel) {
  // A time loop launches the same few kernels; names of different modules may
  // share an address only after an unload, which costs no more than a wrong
  // hint.
  if (lastName.exchange(kernel, std::memory_order_relaxed) == kernel)
    return;
  for (size_t i = 0; i < kMaxName - 1; ++i) {
    lastKernel[i].store(kernel[i], std::memory_order_relaxed);
    if (!kernel[i])
      break;
  }
}

static std::string getLastKernel() {
  std::string name;
  for (size_t i = 0; i < kMaxName && lastKernel[i]; ++i)
    name += lastKernel[i];
  return name;
}

std::string stencil::runtime::describeError(const DriverError &error,
                                            const char *kernel) {
  std::string message = std::string(error.call) + " failed";
  if (kernel)
    message += std::string(" for kernel '") + kernel + "'";
  message += ": ";
  message += error.name ? error.name : "unknown error";
  message += " (" + std::to_string(error.code) + ")";
  if (error.text && *error.text)
    message += std::string(": ") + error.text;
  return message;
}

void stencil::runtime::failCall(const DriverError &error, const char *kernel) {
  std::string message = describeError(error, kernel);
  if (!kernel) {
    std::string last = getLastKernel();
    if (!last.empty())
      message += "; the kernel launched last is '" + last + "'";
  }
  fail(message);
}

std::string stencil::runtime::formatBytes(uint64_t bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit)
    value /= 1024;
  char text[64];
  if (unit == 0)
    std::snprintf(text, sizeof(text), "%llu bytes",
                  static_cast<unsigned long long>(bytes));
  else
    std::snprintf(text, sizeof(text), "%.4g %s (%llu bytes)", value,
                  units[unit], static_cast<unsigned long long>(bytes));
  return text;
}
