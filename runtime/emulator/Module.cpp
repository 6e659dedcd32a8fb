//===- Module.cpp - Kernels that were loaded ------------------------------===//

#include "Module.h"
#include "StencilRuntime/Error.h"

#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

Module::Module(const void *blob, size_t bytes)
    : image(static_cast<const EmulatorImage *>(blob)) {
  if ((bytes && bytes < sizeof(EmulatorImage)) ||
      std::memcmp(image->magic, kEmulatorImageMagic, sizeof(image->magic)) != 0)
    fail("emulator: expected kernels for the emulator, got another binary");
  if (image->version != kEmulatorVersion)
    fail("emulator: expected kernels of version " +
         std::to_string(kEmulatorVersion) + ", got version " +
         std::to_string(image->version) + "; compile the program again");
}

Function &Module::getFunction(const char *name) {
  for (uint64_t i = 0; i < image->numKernels; ++i) {
    const EmulatorKernel &kernel = image->kernels[i];
    if (std::strcmp(kernel.name, name) != 0)
      continue;
    functions.push_back(std::make_unique<Function>(Function{image, &kernel}));
    return *functions.back();
  }
  fail("emulator: expected a kernel '" + std::string(name) +
       "' in the module, which has none of that name");
}

void stencil::runtime::emulator::checkLaunch(const Function &function,
                                             const char *name,
                                             const LaunchConfig &config) {
  const EmulatorImage &image = *function.image;
  const EmulatorKernel &kernel = *function.kernel;
  std::string prefix = "emulator: launch of kernel " + std::string(name) + ": ";
  if (config.block.count() == 0 || config.block.count() > image.maxThreads)
    fail(prefix + "expected 1 to " + std::to_string(image.maxThreads) +
         " threads per block, got " + std::to_string(config.block.count()));
  uint64_t shared = getStaticSharedBytes(kernel) + config.dynamicSharedBytes;
  if (shared > image.maxSharedBytes)
    fail(prefix + "expected at most " + std::to_string(image.maxSharedBytes) +
         " bytes of shared memory, got " + std::to_string(shared));
  if (config.cluster.count() != 1)
    fail(prefix + "expected no cluster of blocks: the emulator has none");
  if (config.extra ||
      (config.numParams && config.numParams != kernel.numParams))
    fail(prefix + "expected " + std::to_string(kernel.numParams) +
         " arguments, got " + std::to_string(config.numParams));
}

Arguments::Arguments(const EmulatorKernel &kernel, void **params) {
  for (uint32_t i = 0; i < kernel.numParams; ++i) {
    const char *bytes = static_cast<const char *>(params[i]);
    values.emplace_back(bytes, bytes + kernel.paramBytes[i]);
  }
}

std::vector<void *> Arguments::getPointers() {
  std::vector<void *> pointers;
  for (auto &value : values)
    pointers.push_back(value.data());
  return pointers;
}
