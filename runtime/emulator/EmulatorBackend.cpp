//===- EmulatorBackend.cpp - The emulator as a device ---------------------===//
//
// Streams are synchronous: everything is done before its call returns, except
// that a stream that is being captured records instead. What could run at the
// same time is looked for races all the same (StreamOrder.h).
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include "Module.h"
#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Error.h"
#include "TensorMap.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <unistd.h>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

namespace {

using Clock = std::chrono::steady_clock;
using Lock = std::lock_guard<std::recursive_mutex>;

class EmulatorBackend : public Backend {
public:
  BackendKind getKind() const override { return BackendKind::Emulator; }
  std::string initialize(int device) override;
  std::string describe(DeviceInfo &info) override;
  bool takes(const std::string &, const std::string &) override { return true; }

  void *loadModule(const void *blob, size_t bytes, int optLevel) override;
  void unloadModule(void *module) override;
  void *getFunction(void *module, const char *name) override;
  KernelInfo getKernelInfo(void *function, const char *name) override;
  void setMaxDynamicSharedBytes(void *, const char *, uint32_t) override {}
  void launch(void *function, const char *name,
              const LaunchConfig &config) override;

  void *allocate(uint64_t bytes, void *stream, bool hostShared) override;
  void free(void *address, void *stream) override;
  bool hasOrderedMemory() override { return true; }
  void *allocateOrdered(uint64_t bytes, void *stream) override;
  void freeOrdered(void *address, void *stream) override {
    free(address, stream);
  }
  MemoryPlace findMemory(const void *address, uint64_t &bytes) override;
  void getMemoryInfo(uint64_t &freeBytes, uint64_t &totalBytes) override;
  void copy(void *dst, const void *src, uint64_t bytes, void *stream) override;
  void copy2D(void *dst, uint64_t dstPitch, const void *src, uint64_t srcPitch,
              uint64_t width, uint64_t rows, void *stream) override;
  void set16(void *dst, uint16_t value, uint64_t count, void *stream) override;
  void set32(void *dst, uint32_t value, uint64_t count, void *stream) override;
  void registerHost(void *, uint64_t) override {}
  void unregisterHost(void *) override {}

  void *createStream() override;
  void destroyStream(void *stream) override;
  void synchronizeStream(void *stream) override;
  bool isCapturing(void *stream) override;
  void waitForEvent(void *stream, void *event) override;
  void *createEvent(bool) override { return new Event(); }
  void destroyEvent(void *event) override;
  void recordEvent(void *event, void *stream) override;
  void synchronizeEvent(void *event) override;
  bool isEventDone(void *) override { return true; }
  double getElapsedSeconds(void *begin, void *end) override {
    return std::chrono::duration<double>(static_cast<Event *>(end)->time -
                                         static_cast<Event *>(begin)->time)
        .count();
  }

  void beginCapture(void *stream) override;
  void *endCapture(void *stream) override;
  void launchGraph(void *graph, void *stream) override;
  void destroyGraph(void *graph) override {
    Lock lock(mutex);
    delete static_cast<Graph *>(graph);
  }

  void encodeTensorMap(void *map, const TensorMapRequest &request) override {
    writeTensorMap(map, request);
  }

private:
  /// Does the work now, or keeps it for the graph that is being captured.
  void submit(void *stream, Graph::Work work);
  /// A stream, null being one, too.
  Stream &getStream(void *stream);
  void run(const Function &function, const LaunchShape &shape, void **params,
           Timeline &timeline);
  void copyNow(void *dst, const void *src, uint64_t bytes);
  void checkRange(const void *address, uint64_t bytes);

  std::recursive_mutex mutex;
  DeviceMemory memory;
  uint64_t seed = 1;
  uint32_t numBlocks = 0;
  StreamOrder order;
  Stream defaultStream;
};

} // namespace

std::unique_ptr<Backend> stencil::runtime::createEmulatorBackend() {
  return std::make_unique<EmulatorBackend>();
}

std::string EmulatorBackend::initialize(int device) {
  if (device != 0 && device != kAnyDevice)
    return "the emulator has one device, number 0, expected another: " +
           std::to_string(device);
  if (const char *text = std::getenv("STENCIL_EMULATOR_SEED")) {
    char *end = nullptr;
    seed = std::strtoull(text, &end, 10);
    if (end == text || *end)
      return "STENCIL_EMULATOR_SEED: expected a number, got '" +
             std::string(text) + "'";
  }
  return {};
}

std::string EmulatorBackend::describe(DeviceInfo &info) {
  info = {};
  info.name = "emulator";
  // What any chip may have: an image says what its chip has.
  info.maxThreadsPerBlock = 1024;
  info.maxBlock = {1024, 1024, 1024};
  info.maxGrid = {0x7fffffff, 65535, 65535};
  info.multiprocessors = 1;
  info.warpSize = 32;
  info.maxSharedBytes = uint64_t(256) << 10;
  getMemoryInfo(info.freeBytes, info.totalBytes);
  return {};
}

//===----------------------------------------------------------------------===//
// Modules and kernels
//===----------------------------------------------------------------------===//

void *EmulatorBackend::loadModule(const void *blob, size_t bytes, int) {
  return new Module(blob, bytes);
}

void EmulatorBackend::unloadModule(void *module) {
  delete static_cast<Module *>(module);
}

void *EmulatorBackend::getFunction(void *module, const char *name) {
  Lock lock(mutex);
  return &static_cast<Module *>(module)->getFunction(name);
}

KernelInfo EmulatorBackend::getKernelInfo(void *function, const char *) {
  const auto &known = *static_cast<Function *>(function);
  KernelInfo info;
  info.maxThreadsPerBlock = known.image->maxThreads;
  info.staticSharedBytes = getStaticSharedBytes(*known.kernel);
  return info;
}

void EmulatorBackend::run(const Function &function, const LaunchShape &shape,
                          void **params, Timeline &timeline) {
  // Old records in the shadow of memory must stay old.
  if (shape.grid.count() > UINT32_MAX - uint64_t(numBlocks))
    fail("emulator: expected fewer than 2^32 blocks in a process");
  Launch launch(function, shape, params, memory, seed,
                order.findConcurrent(timeline));
  if (BankStatistics *statistics = BankStatistics::get())
    launch.banks = std::make_unique<BankCounter>(
        *statistics, function.kernel->name, launch.getWarpSize());
  uint32_t first = numBlocks + 1;
  std::string fault = launch.run(numBlocks);
  order.add(timeline, {first, numBlocks});
  if (!fault.empty())
    fail("emulator: " + fault);
}

void EmulatorBackend::launch(void *function, const char *name,
                             const LaunchConfig &config) {
  Lock lock(mutex);
  const auto &known = *static_cast<Function *>(function);
  checkLaunch(known, name, config);
  LaunchShape shape = {config.grid, config.block, config.dynamicSharedBytes};
  auto arguments = std::make_shared<Arguments>(*known.kernel, config.params);
  submit(config.stream, [this, known, shape, arguments](Timeline &timeline) {
    run(known, shape, arguments->getPointers().data(), timeline);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *EmulatorBackend::allocate(uint64_t bytes, void *, bool hostShared) {
  Lock lock(mutex);
  uint64_t freeBytes = 0, totalBytes = 0;
  getMemoryInfo(freeBytes, totalBytes);
  void *address = bytes > freeBytes ? nullptr : memory.allocate(bytes);
  // What the host writes into shared memory is not seen.
  if (address && hostShared)
    memory.setDefined(address, bytes);
  return address;
}

void EmulatorBackend::free(void *address, void *) {
  Lock lock(mutex);
  if (address && !memory.free(address))
    fail("emulator: expected the address of an allocation to free, got one " +
         memory.describe(address));
}

/// Streams are synchronous: only what is recorded would come later.
void *EmulatorBackend::allocateOrdered(uint64_t bytes, void *stream) {
  if (isCapturing(stream))
    fail("emulator: expected a stream that is not being captured, as the "
         "program needs memory of its own");
  return allocate(bytes, stream, /*hostShared=*/false);
}

MemoryPlace EmulatorBackend::findMemory(const void *address, uint64_t &bytes) {
  Lock lock(mutex);
  Allocation *allocation = memory.find(address);
  if (!allocation)
    return MemoryPlace::Host;
  bytes = allocation->end() - static_cast<const char *>(address);
  return MemoryPlace::Device;
}

void EmulatorBackend::getMemoryInfo(uint64_t &freeBytes, uint64_t &totalBytes) {
  uint64_t page = sysconf(_SC_PAGESIZE);
  uint64_t total = sysconf(_SC_PHYS_PAGES) * page;
  uint64_t available = sysconf(_SC_AVPHYS_PAGES) * page;
  std::ifstream file("/proc/meminfo");
  std::string key;
  uint64_t value = 0;
  while (file >> key >> value) {
    if (key == "MemAvailable:")
      available = value << 10;
    file.ignore(64, '\n');
  }
  // What is known about each 8 bytes takes 49 (Shadow).
  freeBytes = available / 7;
  totalBytes = total / 7;
}

void EmulatorBackend::checkRange(const void *address, uint64_t bytes) {
  Allocation *allocation = memory.find(address);
  if (!allocation)
    return;
  uint64_t room = allocation->end() - static_cast<const char *>(address);
  if (bytes > room)
    fail("emulator: copy of " + std::to_string(bytes) + " bytes " +
         memory.describe(address));
}

void EmulatorBackend::copyNow(void *dst, const void *src, uint64_t bytes) {
  checkRange(dst, bytes);
  checkRange(src, bytes);
  std::memmove(dst, src, bytes);
  memory.setDefined(dst, bytes);
}

void EmulatorBackend::copy(void *dst, const void *src, uint64_t bytes,
                           void *stream) {
  Lock lock(mutex);
  submit(stream, [=](Timeline &) { copyNow(dst, src, bytes); });
}

void EmulatorBackend::copy2D(void *dst, uint64_t dstPitch, const void *src,
                             uint64_t srcPitch, uint64_t width, uint64_t rows,
                             void *stream) {
  Lock lock(mutex);
  submit(stream, [=](Timeline &) {
    for (uint64_t row = 0; row < rows; ++row)
      copyNow(static_cast<char *>(dst) + row * dstPitch,
              static_cast<const char *>(src) + row * srcPitch, width);
  });
}

void EmulatorBackend::set16(void *dst, uint16_t value, uint64_t count,
                            void *stream) {
  Lock lock(mutex);
  submit(stream, [=](Timeline &) {
    checkRange(dst, 2 * count);
    for (uint64_t i = 0; i < count; ++i)
      std::memcpy(static_cast<char *>(dst) + 2 * i, &value, 2);
    memory.setDefined(dst, 2 * count);
  });
}

void EmulatorBackend::set32(void *dst, uint32_t value, uint64_t count,
                            void *stream) {
  Lock lock(mutex);
  submit(stream, [=](Timeline &) {
    checkRange(dst, 4 * count);
    for (uint64_t i = 0; i < count; ++i)
      std::memcpy(static_cast<char *>(dst) + 4 * i, &value, 4);
    memory.setDefined(dst, 4 * count);
  });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Stream &EmulatorBackend::getStream(void *stream) {
  // CUDA's and HIP's names of their default streams.
  bool isDefault = reinterpret_cast<uintptr_t>(stream) <= 2;
  Stream &known = isDefault ? defaultStream : *static_cast<Stream *>(stream);
  if (!known.timeline)
    known.timeline = order.create();
  return known;
}

void *EmulatorBackend::createStream() {
  Lock lock(mutex);
  auto *stream = new Stream;
  getStream(stream);
  return stream;
}

void EmulatorBackend::destroyStream(void *stream) {
  Lock lock(mutex);
  // What it did is done.
  Stream &known = getStream(stream);
  order.synchronize(order.look(*known.timeline));
  if (known.capture)
    known.capture->forget(known);
  delete static_cast<Stream *>(stream);
}

void EmulatorBackend::synchronizeStream(void *stream) {
  Lock lock(mutex);
  order.synchronize(order.look(*getStream(stream).timeline));
}

bool EmulatorBackend::isCapturing(void *stream) {
  Lock lock(mutex);
  return getStream(stream).capture != nullptr;
}

void EmulatorBackend::destroyEvent(void *event) {
  Lock lock(mutex);
  auto *known = static_cast<Event *>(event);
  if (known->capture)
    known->capture->forget(*known);
  delete known;
}

void EmulatorBackend::recordEvent(void *event, void *stream) {
  Lock lock(mutex);
  auto &known = *static_cast<Event *>(event);
  Stream &recorded = getStream(stream);
  if (recorded.capture) {
    recorded.capture->record(known, recorded);
    return;
  }
  if (known.capture)
    fail("emulator: expected an event of a capture to be recorded by a stream "
         "of that capture");
  known.time = Clock::now();
  known.seen = order.look(*recorded.timeline);
}

void EmulatorBackend::waitForEvent(void *stream, void *event) {
  Lock lock(mutex);
  const auto &known = *static_cast<Event *>(event);
  Stream &waiting = getStream(stream);
  if (waiting.capture && waiting.capture != known.capture)
    fail(
        "emulator: expected a stream that is being captured to wait for events "
        "of the same capture only");
  if (known.capture)
    known.capture->wait(waiting, known);
  else
    StreamOrder::join(waiting.timeline->seen, known.seen);
}

void EmulatorBackend::synchronizeEvent(void *event) {
  Lock lock(mutex);
  order.synchronize(static_cast<Event *>(event)->seen);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void EmulatorBackend::submit(void *stream, Graph::Work work) {
  Stream &known = getStream(stream);
  if (known.capture)
    known.capture->submit(known, std::move(work));
  else
    work(*known.timeline);
}

void EmulatorBackend::beginCapture(void *stream) {
  Lock lock(mutex);
  if (!stream || getStream(stream).capture)
    fail("emulator: expected a stream that is not being captured");
  // Belongs to whoever ends the capture.
  new Graph(getStream(stream));
}

void *EmulatorBackend::endCapture(void *stream) {
  Lock lock(mutex);
  if (!stream || !getStream(stream).capture || getStream(stream).branch != 0)
    fail("emulator: expected a stream whose capture has begun");
  std::unique_ptr<Graph> graph(getStream(stream).capture);
  if (!graph->end())
    fail("emulator: expected a captured stream that has waited for all that "
         "was captured with it");
  return graph.release();
}

void EmulatorBackend::launchGraph(void *graph, void *stream) {
  Lock lock(mutex);
  auto *known = static_cast<Graph *>(graph);
  submit(stream,
         [this, known](Timeline &timeline) { known->replay(timeline, order); });
}
