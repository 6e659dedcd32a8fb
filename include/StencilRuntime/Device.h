//===- Device.h - What a device is and has ----------------------*- C++ -*-===//
//
// Questions about a machine's GPU that never end the process: whoever asks gets
// the reason as text if there is no driver or no device.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILRUNTIME_DEVICE_H
#define STENCILRUNTIME_DEVICE_H

#include <cstdint>
#include <string>

namespace stencil::runtime {

/// The numbers are those of `stencilSelectBackend`.
enum class BackendKind : int32_t { CUDA = 0, HIP = 1, Emulator = 2 };
inline constexpr int kNumBackends = 3;

/// "cuda", "hip" or "emulator", as in STENCIL_BACKEND.
const char *getBackendName(BackendKind kind);

/// False if `name` is none of the above.
bool parseBackendName(const std::string &name, BackendKind &kind);

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;

  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// What is not known is 0 or empty.
struct DeviceInfo {
  /// As in "NVIDIA H200".
  std::string name;
  /// As in "sm_90" or "gfx942": what to compile for.
  std::string chip;
  /// The newest CUDA or HIP that the driver supports, as in "12.8".
  std::string driverVersion;
  uint32_t multiprocessors = 0;
  /// Threads of a warp or wavefront.
  uint32_t warpSize = 0;
  uint32_t maxThreadsPerBlock = 0;
  Dim3 maxBlock = {0, 0, 0};
  Dim3 maxGrid = {0, 0, 0};
  /// Static and dynamic shared memory of a block together, in bytes, for a
  /// kernel that asks for all it can get.
  uint64_t maxSharedBytes = 0;
  /// Device memory in bytes.
  uint64_t totalBytes = 0;
  uint64_t freeBytes = 0;
  uint64_t l2Bytes = 0;
  /// Highest clock of the multiprocessors and of the memory, in kHz.
  uint64_t clockKHz = 0;
  uint64_t memoryClockKHz = 0;
  uint32_t memoryBusBits = 0;
};

/// Describes the device that programs of this backend run on; loads its driver
/// if need be. Returns why that is not possible, without "error: "; empty on
/// success.
std::string queryDevice(BackendKind kind, DeviceInfo &info);

} // namespace stencil::runtime

#endif // STENCILRUNTIME_DEVICE_H
