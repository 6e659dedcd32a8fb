//===- DriverBackend.h - What CUDA and HIP do alike -------------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_COMMON_DRIVERBACKEND_H
#define STENCIL_RUNTIME_COMMON_DRIVERBACKEND_H

#include "Driver.h"
#include "DriverNumbers.h"
#include "StencilRuntime/Backend.h"

namespace stencil::runtime {

/// The runtime over a driver's functions. Handles are the driver's. Everything
/// happens on one device, in one context: `Driver::Scope` makes them the
/// current ones of this thread, and then what was current again.
template <typename Driver> class DriverBackend : public Backend {
public:
  BackendKind getKind() const override { return Driver::kKind; }

  std::string initialize(int ordinal) override {
    std::string problem = driver.load();
    int count = 0;
    if (problem.empty())
      problem = driver.countDevices(count);
    if (!problem.empty())
      return problem;
    if (count == 0)
      return std::string("no ") + Driver::kName +
             " device: the driver knows none";
    if (ordinal == kAnyDevice)
      problem = driver.findCurrent(ordinal);
    if (!problem.empty())
      return problem;
    if (ordinal < 0 || ordinal >= count)
      return std::string("expected a ") + Driver::kName + " device from 0 to " +
             std::to_string(count - 1) + ", got " + std::to_string(ordinal);
    problem = driver.open(ordinal);
    if (!problem.empty())
      return problem;
    maxPitch = getAttribute(Driver::kMaxPitch);
    hasPools = getAttribute(Driver::kHasPools) != 0;
    return "";
  }

  std::string describe(DeviceInfo &info) override {
    char name[256] = "";
    int version = 0;
    size_t free = 0, total = 0;
    std::string problem = driver.attempt(driver.getDeviceName, name,
                                         sizeof(name) - 1, driver.device);
    if (problem.empty())
      problem = driver.attempt(driver.getVersion, &version);
    if (problem.empty()) {
      Scope scope(driver);
      problem = driver.attempt(driver.getMemory, &free, &total);
    }
    if (!problem.empty())
      return problem;
    info.name = name;
    info.freeBytes = free;
    info.totalBytes = total;
    describeDevice(info, version);
    description = info;
    return "";
  }

  //===--------------------------------------------------------------------===//
  // Kernels
  //===--------------------------------------------------------------------===//

  void *getFunction(void *module, const char *name) override {
    Scope scope(driver);
    RelaxedCapture relaxed(driver);
    typename Driver::Function function = nullptr;
    driver.callFor(name, driver.moduleGetFunction, &function, module, name);
    return function;
  }

  KernelInfo getKernelInfo(void *function, const char *name) override {
    Scope scope(driver);
    RelaxedCapture relaxed(driver);
    auto get = [&](unsigned attribute) {
      int value = 0;
      driver.callFor(name, driver.functionGetAttribute, &value, attribute,
                     function);
      return static_cast<uint32_t>(value);
    };
    KernelInfo info;
    info.maxThreadsPerBlock = get(kFunctionMaxThreads);
    info.registers = get(kFunctionRegisters);
    info.staticSharedBytes = get(kFunctionSharedBytes);
    info.localBytes = get(kFunctionLocalBytes);
    return info;
  }

  void launch(void *function, const char *name,
              const LaunchConfig &config) override {
    if (config.cluster.count() > 1) {
      launchClusters(function, name, config);
      return;
    }
    Scope scope(driver);
    Dim3 grid = config.grid, block = config.block;
    driver.callFor(name, driver.launchKernel, function, grid.x, grid.y, grid.z,
                   block.x, block.y, block.z, config.dynamicSharedBytes,
                   config.stream, config.params, config.extra);
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  void *allocate(uint64_t bytes, void *, bool hostShared) override {
    return hostShared ? allocateBy(driver.memAllocManaged, bytes, kAttachGlobal)
                      : allocateBy(driver.memAlloc, bytes);
  }
  void free(void *address, void *) override { call(driver.memFree, address); }

  bool hasOrderedMemory() override { return hasPools; }
  void *allocateOrdered(uint64_t bytes, void *stream) override {
    return allocateBy(driver.memAllocAsync, bytes, stream);
  }
  void freeOrdered(void *address, void *stream) override {
    call(driver.memFreeAsync, address, stream);
  }

  MemoryPlace findMemory(const void *address, uint64_t &) override {
    Scope scope(driver);
    unsigned type = 0;
    if (!getPointerAttribute(type, kPointerMemoryType, address))
      return MemoryPlace::Host;
    if (!isInDevice(type))
      return isManaged(type, address) ? MemoryPlace::Device : MemoryPlace::Host;
    int owner = driver.device;
    bool isKnown = getPointerAttribute(owner, kPointerDevice, address);
    return isKnown && owner != driver.device ? MemoryPlace::OtherDevice
                                             : MemoryPlace::Device;
  }

  void getMemoryInfo(uint64_t &freeBytes, uint64_t &totalBytes) override {
    size_t free = 0, total = 0;
    call(driver.getMemory, &free, &total);
    freeBytes = free;
    totalBytes = total;
  }

  uint64_t getMaxPitch() override { return maxPitch; }
  void set16(void *dst, uint16_t value, uint64_t count, void *stream) override {
    call(driver.memsetD16Async, dst, value, count, stream);
  }
  void set32(void *dst, uint32_t value, uint64_t count, void *stream) override {
    call(driver.memsetD32Async, dst, value, count, stream);
  }

  void registerHost(void *address, uint64_t bytes) override {
    call(driver.hostRegister, address, bytes, /*Flags=*/0);
  }
  void unregisterHost(void *address) override {
    call(driver.hostUnregister, address);
  }
  void *getDeviceAddress(void *host) override {
    return get(driver.hostGetDevicePointer, host, /*Flags=*/0);
  }

  //===--------------------------------------------------------------------===//
  // Streams and events
  //===--------------------------------------------------------------------===//

  void *createStream() override {
    // Not held up by the default stream of other code in the process.
    return get(driver.streamCreate, kNonBlocking);
  }
  void *createPriorStream() override {
    Scope scope(driver);
    int least = 0, greatest = 0;
    driver.call(driver.getStreamPriorityRange, &least, &greatest);
    return driver.get(driver.streamCreateWithPriority, kNonBlocking, greatest);
  }
  void destroyStream(void *stream) override {
    call(driver.streamDestroy, stream);
  }
  void synchronizeStream(void *stream) override {
    call(driver.streamSynchronize, stream);
  }
  bool isCapturing(void *stream) override {
    typename Driver::CaptureStatus status = {};
    call(driver.streamIsCapturing, stream, &status);
    return status != kNotCapturing;
  }

  void waitForEvent(void *stream, void *event) override {
    call(driver.streamWaitEvent, stream, event, /*Flags=*/0);
  }
  void *createEvent(bool timing) override {
    return get(driver.eventCreate, timing ? kWithTiming : kWithoutTiming);
  }
  void destroyEvent(void *event) override { call(driver.eventDestroy, event); }
  void recordEvent(void *event, void *stream) override {
    call(driver.eventRecord, event, stream);
  }
  void synchronizeEvent(void *event) override {
    call(driver.eventSynchronize, event);
  }
  bool isEventDone(void *event) override {
    Scope scope(driver);
    auto result = driver.eventQuery(event);
    if (result == Driver::kNotReady)
      return false;
    driver.check(result, driver.eventQuery.getName().c_str());
    return true;
  }
  double getElapsedSeconds(void *begin, void *end) override {
    return double(getValue(driver.eventElapsedTime, begin, end)) / 1000;
  }

  //===--------------------------------------------------------------------===//
  // Graphs
  //===--------------------------------------------------------------------===//

  void beginCapture(void *stream) override {
    // What other threads do is none of this one's business.
    call(driver.streamBeginCapture, stream, kCaptureThreadLocal);
  }
  void *endCapture(void *stream) override {
    Scope scope(driver);
    typename Driver::Graph graph = nullptr;
    driver.call(driver.streamEndCapture, stream, &graph);
    void *executable = instantiate(graph);
    driver.call(driver.graphDestroy, graph);
    return executable;
  }
  void launchGraph(void *graph, void *stream) override {
    call(driver.graphLaunch, graph, stream);
  }
  void destroyGraph(void *graph) override {
    call(driver.graphExecDestroy, graph);
  }

protected:
  using Scope = typename Driver::Scope;

  /// Allows what is forbidden while a graph is captured: the kernels that are
  /// launched there may have to be loaded first.
  class RelaxedCapture {
  public:
    explicit RelaxedCapture(const Driver &driver) : driver(driver) {
      driver.threadExchangeCaptureMode(&mode);
    }
    ~RelaxedCapture() { driver.threadExchangeCaptureMode(&mode); }
    RelaxedCapture(const RelaxedCapture &) = delete;
    RelaxedCapture &operator=(const RelaxedCapture &) = delete;

  private:
    const Driver &driver;
    typename Driver::CaptureMode mode{kCaptureRelaxed};
  };

  /// On the device.
  template <typename Function, typename... Args>
  void call(const Function &function, Args... args) {
    Scope scope(driver);
    driver.call(function, args...);
  }
  template <typename Function, typename... Args>
  auto getValue(const Function &function, Args... args) {
    Scope scope(driver);
    return driver.get(function, args...);
  }
  /// A handle or an address.
  template <typename Function, typename... Args>
  void *get(const Function &function, Args... args) {
    return as<void *>(getValue(function, args...));
  }

  /// 0 if the driver does not know.
  uint32_t getAttribute(typename Driver::Attribute attribute) const {
    int value = 0;
    bool failed = driver.deviceGetAttribute(&value, attribute, driver.device);
    return failed ? 0 : static_cast<uint32_t>(value);
  }

  /// Whether the driver knows the address.
  template <typename Value>
  bool getPointerAttribute(Value &value, unsigned attribute,
                           const void *address) const {
    auto result = driver.pointerGetAttribute(&value, attribute,
                                             const_cast<void *>(address));
    // Of memory that it does not know, the driver knows nothing.
    if (result != Driver::kInvalidValue)
      driver.check(result, driver.pointerGetAttribute.getName().c_str());
    return !result;
  }

  /// The chip, the version, and what the device's attributes say.
  virtual void describeDevice(DeviceInfo &info, int version) = 0;
  virtual void launchClusters(void *function, const char *name,
                              const LaunchConfig &config) = 0;
  /// Types of memory.
  virtual bool isInDevice(unsigned type) const = 0;
  virtual bool isManaged(unsigned type, const void *address) const = 0;
  /// Something to launch.
  virtual void *instantiate(typename Driver::Graph graph) = 0;

  Driver driver;
  DeviceInfo description;

private:
  /// Null if there is not enough.
  template <typename Result, typename Address, typename... Params,
            typename... Args>
  void *allocateBy(const DriverFunction<Result, Address *, Params...> &function,
                   Args... args) {
    Scope scope(driver);
    Address address = {};
    Result result = function(&address, args...);
    if (result == Driver::kOutOfMemory)
      return nullptr;
    driver.check(result, function.getName().c_str());
    return as<void *>(address);
  }

  uint64_t maxPitch = 0;
  bool hasPools = false;
};

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_DRIVERBACKEND_H
