//===- Failure.cpp - Messages, and the handler ----------------------------===//

#include "Failure.h"
#include "Guard.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace stencil::runtime;

//===----------------------------------------------------------------------===//
// The handler
//===----------------------------------------------------------------------===//

/// One for the process: objects for the CPU bring the same variable, so that
/// there is one handler for both (lib/Target/ReturnErrors.cpp).
extern "C" std::atomic<StencilErrorHandler> stencilErrorHandler;
std::atomic<StencilErrorHandler> stencilErrorHandler{nullptr};

/// Of the calling thread.
static thread_local int32_t status = STENCIL_OK;
static thread_local bool keepsMessages = false;

/// Nothing that is destroyed: programs are unloaded when the process ends, too,
/// when the variables of its first thread are gone.
static constexpr size_t kMaxMessage = 2048;
static thread_local char keptMessage[kMaxMessage], takenMessage[kMaxMessage];

bool stencil::runtime::hasFailed() { return status != STENCIL_OK; }

StencilErrorHandler stencilSetErrorHandler(StencilErrorHandler handler) {
  return stencilErrorHandler.exchange(handler);
}

bool stencilKeepMessages(bool keep) {
  return std::exchange(keepsMessages, keep);
}

const char *stencilTakeMessage() {
  std::memcpy(takenMessage, keptMessage, kMaxMessage);
  keptMessage[0] = '\0';
  return takenMessage;
}

int32_t stencilTakeStatus() { return std::exchange(status, STENCIL_OK); }

void stencilFail(int32_t code, const char *message) {
  // What follows from the first error is of no interest.
  if (hasFailed())
    return;
  status = code;
  if (!message)
    return;
  if (keepsMessages) {
    std::snprintf(keptMessage, kMaxMessage, "%s", message);
    return;
  }
  if (StencilErrorHandler handler = stencilErrorHandler)
    handler(code, message);
  else
    std::fprintf(stderr, "error: %s\n", message);
}

void stencil::runtime::fail(const std::string &message, int32_t code) {
  stencilFail(code, message.c_str());
  throw Failure(message);
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
