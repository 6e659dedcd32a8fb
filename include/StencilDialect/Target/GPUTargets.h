//===- GPUTargets.h - What --target says of GPUs ----------------*- C++ -*-===//
//
// The one table of what programs are compiled to run on, besides the CPU: the
// GPUs of each vendor (Vendors.h), and the emulator of any of them. Options,
// caches, the tuning database and other languages ask it, and name no vendor.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_GPUTARGETS_H
#define STENCILDIALECT_TARGET_GPUTARGETS_H

#include "StencilDialect/Target/Vendors.h"

#include <string>

namespace stencil {

/// An entry of the table: targets are the same if their addresses are.
struct GPUTarget {
  /// "cuda", "hip", "emulator".
  llvm::StringRef name;
  /// Whose GPUs; null of the emulator, which takes chips of all.
  const VendorInfo *vendor;
  /// The number in the runtime (BackendKind).
  int32_t backend;
  /// What is compiled for if nobody names a chip; empty: the device at hand.
  llvm::StringRef defaultChip;

  bool isEmulator() const { return !vendor; }
  /// Chips for messages: "sm_90", or "sm_90 or gfx942" of the emulator.
  std::string getExampleChips() const;
};

/// The vendors' in their order, then the emulator.
llvm::ArrayRef<GPUTarget> getGPUTargets();
/// By its name; null for one that is no GPU.
const GPUTarget *findGPUTarget(llvm::StringRef name);
const GPUTarget &getGPUTarget(GPUVendor vendor);
const GPUTarget &getEmulator();

/// What programs for GPUs of the vendor run on.
const GPUTarget &chooseGPUTarget(GPUVendor vendor, bool emulate);

/// Names for messages, behind those of `others`: "cpu, cuda, hip or emulator".
std::string listGPUTargets(llvm::ArrayRef<llvm::StringRef> others = {});

} // namespace stencil

#endif // STENCILDIALECT_TARGET_GPUTARGETS_H
