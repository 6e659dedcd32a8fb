//===- HipBackend.h - The runtime over AMD's HIP --------------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_HIP_HIPBACKEND_H
#define STENCIL_RUNTIME_HIP_HIPBACKEND_H

#include "HipDriver.h"
#include "StencilRuntime/Backend.h"

namespace stencil::runtime::hip {

/// Handles are the driver's. Everything happens on one device: that of the
/// thread that comes first, unless another one was chosen.
class HipBackend : public Backend {
public:
  BackendKind getKind() const override { return BackendKind::HIP; }
  std::string initialize(int device) override;
  std::string describe(DeviceInfo &info) override;
  bool takes(const std::string &device, const std::string &chip) override {
    // "gfx90a:sramecc+:xnack-" is a gfx90a.
    return device.substr(0, device.find(':')) == chip.substr(0, chip.find(':'));
  }

  void *loadModule(const void *blob, size_t bytes, int optLevel) override;
  void unloadModule(void *module) override;
  void *getFunction(void *module, const char *name) override;
  KernelInfo getKernelInfo(void *function, const char *name) override;
  void setMaxDynamicSharedBytes(void *function, const char *name,
                                uint32_t bytes) override;
  void launch(void *function, const char *name,
              const LaunchConfig &config) override;

  void *allocate(uint64_t bytes, void *stream, bool hostShared) override;
  void free(void *address, void *stream) override;
  bool hasOrderedMemory() override { return hasPools; }
  void *allocateOrdered(uint64_t bytes, void *stream) override;
  void freeOrdered(void *address, void *stream) override;
  MemoryPlace findMemory(const void *address, uint64_t &bytes) override;
  void getMemoryInfo(uint64_t &freeBytes, uint64_t &totalBytes) override;
  void copy(void *dst, const void *src, uint64_t bytes, void *stream) override;
  void copy2D(void *dst, uint64_t dstPitch, const void *src, uint64_t srcPitch,
              uint64_t width, uint64_t rows, void *stream) override;
  uint64_t getMaxPitch() override { return maxPitch; }
  void set16(void *dst, uint16_t value, uint64_t count, void *stream) override;
  void set32(void *dst, uint32_t value, uint64_t count, void *stream) override;
  void registerHost(void *address, uint64_t bytes) override;
  void unregisterHost(void *address) override;
  void *getDeviceAddress(void *host) override;

  void *createStream() override;
  void *createPriorStream() override;
  void destroyStream(void *stream) override;
  void synchronizeStream(void *stream) override;
  bool isCapturing(void *stream) override;
  void waitForEvent(void *stream, void *event) override;
  void *createEvent(bool timing) override;
  void destroyEvent(void *event) override;
  void recordEvent(void *event, void *stream) override;
  void synchronizeEvent(void *event) override;
  bool isEventDone(void *event) override;
  double getElapsedSeconds(void *begin, void *end) override;

  void beginCapture(void *stream) override;
  void *endCapture(void *stream) override;
  void launchGraph(void *graph, void *stream) override;
  void destroyGraph(void *graph) override;

private:
  class Scope;
  class RelaxedCapture;

  uint32_t getAttribute(hipDeviceAttribute_t attribute) const;

  HipDriver driver;
  int device = 0;
  uint64_t maxPitch = 0;
  bool hasPools = false;
  /// Of HIP.
  int majorVersion = 0;
  DeviceInfo description;
};

/// Makes the device current on this thread, and then what was current again.
class HipBackend::Scope {
public:
  explicit Scope(const HipBackend &backend)
      : driver(backend.driver), device(backend.device) {
    driver.check(driver.hipGetDevice(&previous), "hipGetDevice");
    if (previous != device)
      driver.check(driver.hipSetDevice(device), "hipSetDevice");
  }
  ~Scope() {
    if (previous != device)
      driver.check(driver.hipSetDevice(previous), "hipSetDevice");
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  const HipDriver &driver;
  int device;
  int previous = 0;
};

/// Allows what is forbidden while a graph is captured: the kernels that are
/// launched there may have to be loaded first.
class HipBackend::RelaxedCapture {
public:
  explicit RelaxedCapture(const HipBackend &backend) : driver(backend.driver) {
    driver.hipThreadExchangeStreamCaptureMode(&mode);
  }
  ~RelaxedCapture() { driver.hipThreadExchangeStreamCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const HipDriver &driver;
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
};

} // namespace stencil::runtime::hip

#endif // STENCIL_RUNTIME_HIP_HIPBACKEND_H
