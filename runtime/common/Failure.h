//===- Failure.h - Messages about failed calls of a driver ------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_COMMON_FAILURE_H
#define STENCIL_RUNTIME_COMMON_FAILURE_H

#include "StencilRuntime/Error.h"

#include <cstdint>
#include <string>

namespace stencil::runtime {

/// What a driver says of a failed call.
struct DriverError {
  /// The function of the driver, as in "cuLaunchKernel".
  const char *call;
  /// As in "CUDA_ERROR_LAUNCH_FAILED"; null if the driver has no name for it.
  const char *name;
  int code;
  /// The driver's explanation; may be null.
  const char *text;
};

/// Fails with "CALL failed[, for kernel 'KERNEL']: NAME (CODE): TEXT".
/// Without a kernel, names the one that was launched last: its faults show up
/// in any later call.
[[noreturn]] void failCall(const DriverError &error,
                           const char *kernel = nullptr);

/// The same text, for those who do not want to fail.
std::string describeError(const DriverError &error,
                          const char *kernel = nullptr);

/// For messages only.
void noteLaunch(const char *kernel);

/// "12.5 GiB (13421772800 bytes)".
std::string formatBytes(uint64_t bytes);

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_FAILURE_H
