//===- CudaDriver.h - The CUDA driver, found at run time --------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_CUDA_CUDADRIVER_H
#define STENCIL_RUNTIME_CUDA_CUDADRIVER_H

#include "../common/Driver.h"
#include "CudaTypes.h"
#include "StencilRuntime/Device.h"

namespace stencil::runtime::cuda {

/// The functions of libcuda.so.1, and the context in which all happens: that of
/// the thread that comes first, if it has one, else the primary one of a
/// device, which is also that of CUDA's runtime library. Device memory can be
/// shared with CUDA programs.
class CudaDriver : public DriverCalls<CUresult> {
public:
  static constexpr BackendKind kKind = BackendKind::CUDA;
  static constexpr const char *kName = "CUDA";
  static constexpr CUresult kInvalidValue = CUDA_ERROR_INVALID_VALUE,
                            kOutOfMemory = CUDA_ERROR_OUT_OF_MEMORY,
                            kNotReady = CUDA_ERROR_NOT_READY;
  static constexpr CUdevice_attribute
      kMaxPitch = CU_DEVICE_ATTRIBUTE_MAX_PITCH,
      kHasPools = CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
  using Attribute = CUdevice_attribute;
  using Function = CUfunction;
  using Graph = CUgraph;
  using CaptureMode = CUstreamCaptureMode;
  using CaptureStatus = CUstreamCaptureStatus;
  class Scope;

  /// Loads the library and initialises it. Returns why that is not possible, as
  /// those below do.
  std::string load();
  std::string countDevices(int &count) const {
    return attempt(cuDeviceGetCount, &count);
  }
  /// The current context's device, if there is one, else the first.
  std::string findCurrent(int &ordinal);
  std::string open(int ordinal);

  DriverError describe(CUresult result, const char *call) const override;

  CUdevice device = 0;
  CUcontext context = nullptr;

  // NOLINTBEGIN(readability-identifier-naming): the driver's names.
#define CUDA_TWIN(name, symbol, ...)                                           \
  DriverFunction<CUresult, __VA_ARGS__> name{#symbol};
#define CUDA_FUNCTION(symbol, ...) CUDA_TWIN(symbol, symbol, __VA_ARGS__)
#include "CudaFunctions.def"
  // NOLINTEND(readability-identifier-naming)
};

class CudaDriver::Scope {
public:
  explicit Scope(const CudaDriver &driver) : driver(driver) {
    driver.call(driver.cuCtxPushCurrent_v2, driver.context);
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

} // namespace stencil::runtime::cuda

#endif // STENCIL_RUNTIME_CUDA_CUDADRIVER_H
