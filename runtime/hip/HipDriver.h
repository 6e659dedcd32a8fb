//===- HipDriver.h - AMD's HIP library, found at run time -------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_HIP_HIPDRIVER_H
#define STENCIL_RUNTIME_HIP_HIPDRIVER_H

#include "../common/Failure.h"
#include "HipTypes.h"

#include <string>

namespace stencil::runtime::hip {

/// The functions of libamdhip64.so.
class HipDriver {
public:
  /// Loads the library and initialises it. Returns why that is not possible.
  std::string load();

  /// Ends the process if a call failed.
  void check(hipError_t result, const char *call,
             const char *kernel = nullptr) const {
    if (result != hipSuccess)
      failCall(describe(result, call), kernel);
  }

  DriverError describe(hipError_t result, const char *call) const;

  /// As in "gfx942"; empty if the library does not say.
  std::string getChip(int device) const;

  // NOLINTBEGIN(readability-identifier-naming): HIP's names.
#define HIP_FUNCTION(name, ...) hipError_t (*name)(__VA_ARGS__) = nullptr;
#include "HipFunctions.def"
  const char *(*hipGetErrorName)(hipError_t) = nullptr;
  const char *(*hipGetErrorString)(hipError_t) = nullptr;
  /// Under its name in HIP 5, or in HIP 6 and 7.
  hipError_t (*hipGetDeviceProperties)(void *, int) = nullptr;
  // NOLINTEND(readability-identifier-naming)
};

} // namespace stencil::runtime::hip

#endif // STENCIL_RUNTIME_HIP_HIPDRIVER_H
