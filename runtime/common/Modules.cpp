//===- Modules.cpp - Loading binaries, finding kernels --------------------===//

#include "Modules.h"
#include "Failure.h"
#include "Guard.h"
#include "State.h"
#include "StencilRuntime/Runtime.h"

#include <set>
#include <string_view>

using namespace stencil::runtime;

namespace {

/// The modules of the process.
struct Registry {
  std::mutex mutex;
  std::set<Module *> modules;
};

} // namespace

static Registry &getRegistry() {
  // Never destroyed, as the backends.
  static Registry *registry = new Registry;
  return *registry;
}

static void *createModule(const void *blob, size_t bytes, int optLevel) {
  auto *module = new Module;
  module->blob = blob;
  module->bytes = bytes;
  module->optLevel = optLevel;
  BackendKind kind;
  if (getBlobBackend(blob, bytes, kind))
    noteModule(kind);
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.modules.insert(module);
  return module;
}

void *mgpuModuleLoad(void *blob, size_t bytes) {
  return guard([&]() -> void * { return createModule(blob, bytes, -1); });
}

void *mgpuModuleLoadJIT(void *blob, int optLevel) {
  return guard([&]() -> void * { return createModule(blob, 0, optLevel); });
}

void mgpuModuleUnload(void *handle) {
  guardRelease([&] {
    auto *module = static_cast<Module *>(handle);
    if (!module)
      return;
    Registry &registry = getRegistry();
    std::lock_guard<std::mutex> lock(registry.mutex);
    registry.modules.erase(module);
    if (module->loaded && !isExiting())
      module->backend->unloadModule(module->loaded);
    delete module;
  });
}

/// The first bytes, for the message about a binary that nobody knows.
static std::string dumpStart(const void *blob, size_t bytes) {
  static const char digits[] = "0123456789abcdef";
  const auto *data = static_cast<const unsigned char *>(blob);
  std::string text;
  for (size_t i = 0; i < bytes && i < 8; ++i) {
    text += ' ';
    text += digits[data[i] >> 4];
    text += digits[data[i] & 15];
  }
  return text;
}

/// The caller holds the module's mutex.
static void load(Module &module) {
  BackendKind kind;
  if (!getBlobBackend(module.blob, module.bytes, kind))
    fail("mgpuModuleLoad: expected a CUDA fatbin, cubin or PTX, an AMD code "
         "object, or a binary for the emulator, got" +
         (module.bytes ? " bytes" + dumpStart(module.blob, module.bytes)
                       : std::string(" text of another kind")));
  module.backend = &getBackend(kind);
  module.loaded =
      module.backend->loadModule(module.blob, module.bytes, module.optLevel);
}

void stencil::runtime::loadModules(BackendKind kind) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  for (Module *module : registry.modules) {
    std::lock_guard<std::mutex> lock(module->mutex);
    BackendKind its;
    if (!module->loaded && getBlobBackend(module->blob, module->bytes, its) &&
        its == kind)
      load(*module);
  }
}

void *mgpuModuleGetFunction(void *handle, const char *name) {
  return guard([&]() -> void * {
    auto *module = static_cast<Module *>(handle);
    if (!module)
      fail(
          std::string("mgpuModuleGetFunction: expected a module, got null, for "
                      "kernel '") +
          name + "'");
    std::lock_guard<std::mutex> lock(module->mutex);
    // Programs ask before each launch.
    auto found = module->kernels.find(std::string_view(name));
    if (found != module->kernels.end())
      return &found->second;

    if (!module->loaded)
      load(*module);
    void *function = module->backend->getFunction(module->loaded, name);
    KernelInfo info = module->backend->getKernelInfo(function, name);
    Kernel &kernel = module->kernels[name];
    kernel.backend = module->backend;
    kernel.name = name;
    kernel.function = function;
    kernel.info = info;
    return &kernel;
  });
}
