//===- Module.h - Kernels that were loaded ----------------------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_MODULE_H
#define STENCIL_RUNTIME_EMULATOR_MODULE_H

#include "Launch.h"
#include "StencilRuntime/Backend.h"

#include <memory>
#include <vector>

namespace stencil::runtime::emulator {

/// The kernels of a binary. What is wrong with it fails, as for all that a
/// program calls (StencilRuntime/Error.h).
class Module {
public:
  /// `bytes` may be 0, if nobody knows.
  Module(const void *blob, size_t bytes);

  /// Lives as long as the module.
  Function &getFunction(const char *name);

private:
  const EmulatorImage *image;
  std::vector<std::unique_ptr<Function>> functions;
};

/// Fails if a GPU could not launch a kernel so.
void checkLaunch(const Function &function, const char *name,
                 const LaunchConfig &config);

/// The arguments of a launch, kept for when it is replayed.
class Arguments {
public:
  Arguments(const EmulatorKernel &kernel, void **params);

  std::vector<void *> getPointers();

private:
  // Blocks of their own, aligned for any scalar.
  std::vector<std::vector<char>> values;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_MODULE_H
