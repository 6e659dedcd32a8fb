//===- HipBackend.h - The runtime over AMD's HIP ----------------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_HIP_HIPBACKEND_H
#define STENCIL_RUNTIME_HIP_HIPBACKEND_H

#include "../common/DriverBackend.h"
#include "HipDriver.h"

namespace stencil::runtime::hip {

class HipBackend : public DriverBackend<HipDriver> {
public:
  bool takes(const std::string &device, const std::string &chip) override {
    // "gfx90a:sramecc+:xnack-" is a gfx90a.
    return device.substr(0, device.find(':')) == chip.substr(0, chip.find(':'));
  }

  void *loadModule(const void *blob, size_t bytes, int optLevel) override;
  void unloadModule(void *module) override;
  void setMaxDynamicSharedBytes(void *, const char *, uint32_t) override {
    // AMD's kernels may use all there is without asking.
  }

  void copy(void *dst, const void *src, uint64_t bytes, void *stream) override;
  void copy2D(void *dst, uint64_t dstPitch, const void *src, uint64_t srcPitch,
              uint64_t width, uint64_t rows, void *stream) override;

private:
  void describeDevice(DeviceInfo &info, int version) override;
  void launchClusters(void *function, const char *name,
                      const LaunchConfig &config) override;
  bool isInDevice(unsigned type) const override;
  bool isManaged(unsigned type, const void *address) const override;
  void *instantiate(hipGraph_t graph) override;

  /// Of HIP.
  int majorVersion = 0;
};

} // namespace stencil::runtime::hip

#endif // STENCIL_RUNTIME_HIP_HIPBACKEND_H
