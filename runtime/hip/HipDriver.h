//===- HipDriver.h - AMD's HIP library, found at run time -------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_HIP_HIPDRIVER_H
#define STENCIL_RUNTIME_HIP_HIPDRIVER_H

#include "../common/Driver.h"
#include "HipTypes.h"
#include "StencilRuntime/Device.h"

namespace stencil::runtime::hip {

/// The functions of libamdhip64.so, and the device on which all happens: that
/// of the thread that comes first, unless another one was chosen.
class HipDriver : public DriverCalls<hipError_t> {
public:
  static constexpr BackendKind kKind = BackendKind::HIP;
  static constexpr const char *kName = "HIP";
  static constexpr hipError_t kInvalidValue = hipErrorInvalidValue,
                              kOutOfMemory = hipErrorOutOfMemory,
                              kNotReady = hipErrorNotReady;
  static constexpr hipDeviceAttribute_t
      kMaxPitch = hipDeviceAttributeMaxPitch,
      kHasPools = hipDeviceAttributeMemoryPoolsSupported;
  using Attribute = hipDeviceAttribute_t;
  using Function = hipFunction_t;
  using Graph = hipGraph_t;
  using CaptureMode = hipStreamCaptureMode;
  using CaptureStatus = hipStreamCaptureStatus;
  class Scope;

  /// Loads the library and initialises it. Returns why that is not possible, as
  /// those below do.
  std::string load();
  std::string countDevices(int &count) const;
  std::string findCurrent(int &ordinal) const {
    return attempt(hipGetDevice, &ordinal);
  }
  std::string open(int ordinal) {
    device = ordinal;
    return "";
  }

  DriverError describe(hipError_t result, const char *call) const override;

  /// As in "gfx942"; empty if the library does not say.
  std::string getChip() const;

  int device = 0;

  // NOLINTBEGIN(readability-identifier-naming): HIP's names.
#define HIP_TWIN(name, symbol, ...)                                            \
  DriverFunction<hipError_t, __VA_ARGS__> name{#symbol};
#define HIP_FUNCTION(symbol, ...) HIP_TWIN(symbol, symbol, __VA_ARGS__)
#include "HipFunctions.def"
  DriverFunction<const char *, hipError_t> hipGetErrorName{"hipGetErrorName"};
  DriverFunction<const char *, hipError_t> hipGetErrorString{
      "hipGetErrorString"};
  /// Under its name in HIP 5, or in HIP 6 and 7.
  hipError_t (*hipGetDeviceProperties)(void *, int) = nullptr;
  // NOLINTEND(readability-identifier-naming)
};

class HipDriver::Scope {
public:
  explicit Scope(const HipDriver &driver)
      : driver(driver), previous(driver.get(driver.hipGetDevice)) {
    if (previous != driver.device)
      driver.call(driver.hipSetDevice, driver.device);
  }
  ~Scope() {
    if (previous != driver.device)
      driver.call(driver.hipSetDevice, previous);
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  const HipDriver &driver;
  int previous;
};

} // namespace stencil::runtime::hip

#endif // STENCIL_RUNTIME_HIP_HIPDRIVER_H
