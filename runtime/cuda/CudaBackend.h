//===- CudaBackend.h - The runtime over the CUDA driver ---------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_CUDA_CUDABACKEND_H
#define STENCIL_RUNTIME_CUDA_CUDABACKEND_H

#include "CudaDriver.h"
#include "StencilRuntime/Backend.h"

namespace stencil::runtime::cuda {

/// Handles are the driver's. Everything happens in one context: that of the
/// thread that comes first, if it has one, else the primary one of a device,
/// which is also that of CUDA's runtime library. Device memory can be shared
/// with CUDA programs.
class CudaBackend : public Backend {
public:
  BackendKind getKind() const override { return BackendKind::CUDA; }
  std::string initialize(int device) override;
  std::string describe(DeviceInfo &info) override;
  bool takes(const std::string &device, const std::string &chip) override;

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
  void checkStream(void *stream) override;
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

  void encodeTensorMap(void *map, const TensorMapRequest &request) override;

private:
  class Scope;
  class RelaxedCapture;

  int getAttribute(CUdevice_attribute attribute) const;
  void launchClusters(CUfunction kernel, const char *name,
                      const LaunchConfig &config);

  CudaDriver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  uint64_t maxPitch = 0;
  bool hasPools = false;
  /// Whether kernels of a graph keep the priority of their stream.
  bool hasNodePriorities = false;
  DeviceInfo description;
};

/// Makes the context current on this thread, and then what was current again.
class CudaBackend::Scope {
public:
  explicit Scope(const CudaBackend &backend) : driver(backend.driver) {
    driver.check(driver.cuCtxPushCurrent_v2(backend.context),
                 "cuCtxPushCurrent");
  }
  ~Scope() {
    CUcontext popped = nullptr;
    driver.cuCtxPopCurrent_v2(&popped);
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  const CudaDriver &driver;
};

/// Allows what is forbidden while a graph is captured: the kernels that are
/// launched there may have to be loaded first.
class CudaBackend::RelaxedCapture {
public:
  explicit RelaxedCapture(const CudaBackend &backend) : driver(backend.driver) {
    driver.cuThreadExchangeStreamCaptureMode(&mode);
  }
  ~RelaxedCapture() { driver.cuThreadExchangeStreamCaptureMode(&mode); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const CudaDriver &driver;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
};

} // namespace stencil::runtime::cuda

#endif // STENCIL_RUNTIME_CUDA_CUDABACKEND_H
