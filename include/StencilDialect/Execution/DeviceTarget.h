//===- DeviceTarget.h - Which product a device is ---------------*- C++ -*-===//
//
// What a GPU at hand is compiled for: the product that the driver's figures
// name. One that is in no table is measured once, and remembered in the user's
// cache directory, in devices.json:
//
//   {"format": "stencil-devices", "version": 1, "devices": [
//     {"device": "NVIDIA Name", "chip": "sm_86", "multiprocessors": 46,
//      "clock": 1.7e9, "l2_bytes": 4194304, "memory_bytes": 8589934592,
//      "peak_bandwidth": 4.48e11, "copy_bandwidth": 4.1e11,
//      "fp64": 2.5e11, "fp32": 1.6e13}]}
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_EXECUTION_DEVICETARGET_H
#define STENCILDIALECT_EXECUTION_DEVICETARGET_H

#include "StencilDialect/Execution/GPUCompilation.h"
#include "StencilDialect/Target/Products.h"
#include "StencilRuntime/Device.h"

#include <vector>

namespace stencil {

/// What runs programs of a target.
inline runtime::BackendKind getBackendKind(const GPUTarget &target) {
  return static_cast<runtime::BackendKind>(target.backend);
}

/// What a device is compiled for.
struct DeviceTarget {
  /// As --chip takes it: a product, which is known to getTargetInfo, or the
  /// device's chip if no more can be said.
  std::string name;
  /// Of a file that cannot be read or written; lines, may be empty.
  std::vector<std::string> warnings;
};

/// The target of the device that `info` describes, which is at hand.
/// `toolkit`: as in GPUCompileOptions.
DeviceTarget findDeviceTarget(const GPUTarget &target,
                              const runtime::DeviceInfo &info,
                              llvm::StringRef toolkit = "");

/// Makes a target of findDeviceTarget of another process known to this one;
/// false if it is neither known nor remembered.
bool recallTarget(llvm::StringRef name);

/// Bytes per second that a copy within device memory moves, read and written,
/// of the best of some copies; 0 for the emulator.
double measureCopyBandwidth(const GPUTarget &target);

/// A file of measured devices, each with the driver's name of it.
struct RememberedDevice {
  std::string device;
  Product product;
};
llvm::Expected<std::vector<RememberedDevice>> readDevices(llvm::StringRef path);
llvm::Error writeDevices(llvm::StringRef path,
                         llvm::ArrayRef<RememberedDevice> devices);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_DEVICETARGET_H
