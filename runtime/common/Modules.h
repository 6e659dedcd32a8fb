//===- Modules.h - Binaries and kernels -------------------------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_COMMON_MODULES_H
#define STENCIL_RUNTIME_COMMON_MODULES_H

#include "StencilRuntime/Backend.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>

namespace stencil::runtime {

struct Module;

/// What the handle of a kernel points to.
struct Kernel {
  Backend *backend = nullptr;
  std::string name;
  void *function = nullptr;
  KernelInfo info;
  /// The most dynamic shared memory that was asked for so far.
  std::atomic<uint32_t> allowedSharedBytes{0};
};

/// What the handle of a module points to. The driver gets the binary when the
/// first of its kernels is asked for: programs with a binary in them start, and
/// run their other functions, on machines without a driver.
struct Module {
  const void *blob = nullptr;
  size_t bytes = 0;
  int optLevel = -1;

  std::mutex mutex;
  Backend *backend = nullptr;
  void *loaded = nullptr;
  std::map<std::string, Kernel, std::less<>> kernels;
};

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_MODULES_H
