//===- CudaBackend.h - The runtime over the CUDA driver ---------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_CUDA_CUDABACKEND_H
#define STENCIL_RUNTIME_CUDA_CUDABACKEND_H

#include "../common/DriverBackend.h"
#include "CudaDriver.h"

namespace stencil::runtime::cuda {

class CudaBackend : public DriverBackend<CudaDriver> {
public:
  bool takes(const std::string &device, const std::string &chip) override;

  void *loadModule(const void *blob, size_t bytes, int optLevel) override;
  void unloadModule(void *module) override;
  void setMaxDynamicSharedBytes(void *function, const char *name,
                                uint32_t bytes) override;

  void copy(void *dst, const void *src, uint64_t bytes, void *stream) override;
  void copy2D(void *dst, uint64_t dstPitch, const void *src, uint64_t srcPitch,
              uint64_t width, uint64_t rows, void *stream) override;

  void checkStream(void *stream) override;
  void encodeTensorMap(void *map, const TensorMapRequest &request) override;

private:
  void describeDevice(DeviceInfo &info, int version) override;
  void launchClusters(void *function, const char *name,
                      const LaunchConfig &config) override;
  bool isInDevice(unsigned type) const override;
  bool isManaged(unsigned type, const void *address) const override;
  void *instantiate(CUgraph graph) override;

  /// Whether kernels of a graph keep the priority of their stream.
  bool hasNodePriorities = false;
};

} // namespace stencil::runtime::cuda

#endif // STENCIL_RUNTIME_CUDA_CUDABACKEND_H
