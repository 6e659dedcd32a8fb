//===- Vendors.h - What differs between vendors of GPUs ---------*- C++ -*-===//
//
// Names, and whose runtime, driver and compiler a GPU needs: an entry for each
// vendor. What its GPUs have is in their descriptions (TargetInfo.h); what
// `--target` says is made of these entries (GPUTargets.h).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_VENDORS_H
#define STENCILDIALECT_TARGET_VENDORS_H

#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// How a kernel says how many of its blocks are to be on a multiprocessor.
struct LaunchBounds {
  /// The attribute of the kernel: "nvvm.minctasm".
  llvm::StringRef attribute;
  /// It counts warps on each of so many units of a multiprocessor; 0: blocks.
  unsigned units;

  /// What the attribute says of `blocks` blocks with `threads` threads each.
  int64_t count(int64_t blocks, int64_t threads, unsigned warpSize) const;
};

/// What arrays and streams of its devices are to DLPack.
struct DLPackInfo {
  /// Numbers of its devices and of host memory that is known to them.
  llvm::ArrayRef<int> devices, hosts;
  /// The default stream.
  uintptr_t defaultStream;
};

/// Of the driver, for who has a stream and waits for it.
struct DriverInfo {
  /// "libcuda.so.1".
  llvm::StringRef library;
  /// "cuStreamSynchronize".
  llvm::StringRef synchronize;
};

struct VendorInfo {
  GPUVendor vendor;
  /// "NVIDIA".
  llvm::StringRef name;
  /// The same in options and files: "nvidia".
  llvm::StringRef key;
  /// What runs its programs, as options name it: "cuda".
  llvm::StringRef runtime;
  /// The number of that in the runtime (BackendKind).
  int32_t backend;
  /// What the names of its chips begin with: "sm_".
  llvm::StringRef chipPrefix;
  /// Letters behind a chip's name that choose instructions of it: "af".
  llvm::StringRef chipSuffixes;
  /// A chip for messages: "sm_90".
  llvm::StringRef exampleChip;
  /// What LLVM compiles for; empty: its chips are those that are described.
  llvm::StringRef triple;
  /// Tells LLVM which chips there are.
  void (*registerChips)();
  /// What kernels are lowered to, as pipelines name it: "nvvm".
  llvm::StringRef lowering;
  /// Dialects whose ops are its instructions.
  llvm::ArrayRef<llvm::StringRef> dialects;
  LaunchBounds launchBounds;
  /// Assembly says what spills, as registers are chosen before it.
  bool assemblySaysSpills;
  /// Transfers for each cycle of the memory's clock, as the driver has it; 0:
  /// that depends on the memory.
  unsigned transfersPerCycle;
  DriverInfo driver;
  DLPackInfo dlpack;
};

/// By their numbers.
llvm::ArrayRef<VendorInfo> getVendors();
const VendorInfo &getVendorInfo(GPUVendor vendor);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_VENDORS_H
