//===- Backends.cpp - Which backend a call goes to ------------------------===//

#include "Failure.h"
#include "Guard.h"
#include "State.h"
#include "StencilRuntime/ABI.h"
#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Runtime.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

using namespace stencil::runtime;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr const char *kNames[kNumBackends] = {"cuda", "hip", "emulator"};

const char *stencil::runtime::getBackendName(BackendKind kind) {
  return kNames[static_cast<int>(kind)];
}

bool stencil::runtime::parseBackendName(const std::string &name,
                                        BackendKind &kind) {
  for (int i = 0; i < kNumBackends; ++i)
    if (name == kNames[i]) {
      kind = static_cast<BackendKind>(i);
      return true;
    }
  return false;
}

/// "cuda, hip or emulator".
static std::string listNames() {
  std::string text;
  for (int i = 0; i < kNumBackends; ++i) {
    if (i > 0)
      text += i + 1 == kNumBackends ? " or " : ", ";
    text += kNames[i];
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

namespace {

struct Slot {
  std::atomic<Backend *> ready{nullptr};
  std::mutex mutex;
  DeviceInfo device;
};

} // namespace

static Slot &getSlot(BackendKind kind) {
  // Never destroyed: destructors of other libraries unload their modules.
  static Slot *slots = new Slot[kNumBackends];
  return slots[static_cast<int>(kind)];
}

static std::atomic<int> defaultDevice{kAnyDevice};

static std::atomic<bool> exiting{false};

bool stencil::runtime::isExiting() { return exiting; }

static std::unique_ptr<Backend> create(BackendKind kind) {
  switch (kind) {
  case BackendKind::CUDA:
    return createCudaBackend();
  case BackendKind::HIP:
    return createHipBackend();
  case BackendKind::Emulator:
    return createEmulatorBackend();
  }
  return nullptr;
}

/// Returns why there is none.
static std::string initialize(BackendKind kind) {
  Slot &slot = getSlot(kind);
  if (slot.ready.load(std::memory_order_acquire))
    return "";
  std::lock_guard<std::mutex> lock(slot.mutex);
  if (slot.ready)
    return "";
  std::unique_ptr<Backend> backend = create(kind);
  if (!backend)
    return std::string("the runtime library was built without the ") +
           getBackendName(kind) + " backend";
  std::string problem = backend->initialize(defaultDevice);
  if (problem.empty())
    problem = backend->describe(slot.device);
  if (!problem.empty())
    return problem;
  // Handlers run in the opposite order: before those of the driver just loaded.
  std::atexit([] { exiting = true; });
  slot.ready.store(backend.release(), std::memory_order_release);
  return "";
}

Backend &stencil::runtime::getBackend(BackendKind kind) {
  Slot &slot = getSlot(kind);
  Backend *backend = slot.ready.load(std::memory_order_acquire);
  if (backend)
    return *backend;
  std::string problem = initialize(kind);
  if (!problem.empty())
    fail(problem);
  return *slot.ready;
}

const DeviceInfo &stencil::runtime::getDevice(Backend &backend) {
  return getSlot(backend.getKind()).device;
}

std::string stencil::runtime::queryDevice(BackendKind kind, DeviceInfo &info) {
  std::string problem = initialize(kind);
  if (!problem.empty())
    return problem;
  return getBackend(kind).describe(info);
}

void mgpuSetDefaultDevice(int32_t device) {
  guard([&] {
    for (int kind = 0; kind < kNumBackends; ++kind)
      // Devices are GPUs; there is one emulator.
      if (static_cast<BackendKind>(kind) != BackendKind::Emulator &&
          getSlot(static_cast<BackendKind>(kind)).ready &&
          device != std::max<int>(defaultDevice, 0))
        fail("mgpuSetDefaultDevice: expected the device to be chosen before it "
             "is used, got device " +
             std::to_string(device) + " while device " +
             std::to_string(std::max<int>(defaultDevice, 0)) + " is in use");
    defaultDevice = device;
  });
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static constexpr int kNone = -1;

/// Functions select a backend at their beginning, so that functions for
/// different ones can be in one process.
static thread_local int selected = kNone;

/// Of the first module that was loaded.
static std::atomic<int> ofModules{kNone};

/// STENCIL_BACKEND, or kNone.
static int getFixedBackend() {
  static const int fixed = [] {
    const char *name = std::getenv("STENCIL_BACKEND");
    if (!name || !*name)
      return kNone;
    BackendKind kind;
    if (!parseBackendName(name, kind))
      fail("STENCIL_BACKEND: expected " + listNames() + ", got '" + name + "'");
    return static_cast<int>(kind);
  }();
  return fixed;
}

void stencil::runtime::selectBackend(BackendKind kind) {
  int fixed = getFixedBackend();
  if (fixed != kNone && fixed != static_cast<int>(kind))
    fail(std::string("STENCIL_BACKEND is '") + kNames[fixed] +
         "', but the program was compiled for '" + getBackendName(kind) + "'");
  selected = static_cast<int>(kind);
}

Backend &stencil::runtime::getBackend() {
  int kind = selected;
  if (kind == kNone)
    kind = getFixedBackend();
  if (kind == kNone)
    kind = ofModules;
  if (kind == kNone)
    fail("expected a backend to be chosen before the first call: set "
         "STENCIL_BACKEND to " +
         listNames());
  return getBackend(static_cast<BackendKind>(kind));
}

void stencil::runtime::noteModule(BackendKind kind) {
  int none = kNone;
  ofModules.compare_exchange_strong(none, static_cast<int>(kind));
}

void stencilSelectBackend(int32_t kind) {
  guard([&] {
    int32_t version = kind >> STENCIL_ABI_SHIFT;
    int32_t backend = kind & ((1 << STENCIL_ABI_SHIFT) - 1);
    if (version > 0 && version != STENCIL_ABI_VERSION)
      fail("expected a program for version " +
           std::to_string(STENCIL_ABI_VERSION) +
           " of the runtime library, got one for version " +
           std::to_string(version) +
           ": it has to be compiled again, or "
           "linked with libStencilRuntime.so." +
           std::to_string(version));
    if (version < 0 || backend >= kNumBackends)
      fail("stencilSelectBackend: expected a number from 0 to " +
           std::to_string(kNumBackends - 1) + ", got " + std::to_string(kind));
    selectBackend(static_cast<BackendKind>(backend));
  });
}

//===----------------------------------------------------------------------===//
// What only some backends have
//===----------------------------------------------------------------------===//

void Backend::encodeTensorMap(void *, const TensorMapRequest &) {
  fail(std::string("mgpuTensorMapEncodeTiled: expected a device with TMA, got "
                   "the ") +
       getBackendName(getKind()) + " backend, which has none");
}

#ifndef STENCIL_RUNTIME_EMULATOR
std::unique_ptr<Backend> stencil::runtime::createEmulatorBackend() {
  return nullptr;
}
#endif
