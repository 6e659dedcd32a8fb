//===- Vendors.h - What differs between vendors of GPUs ---------*- C++ -*-===//
//
// Names, and whose runtime and compiler a GPU needs: a line for each vendor.
// What its GPUs have is in their descriptions (TargetInfo.h).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_VENDORS_H
#define STENCILDIALECT_TARGET_VENDORS_H

#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

struct VendorInfo {
  GPUVendor vendor;
  /// "NVIDIA".
  llvm::StringRef name;
  /// What runs its programs, as options name it: "cuda".
  llvm::StringRef runtime;
  /// The number of that in the runtime (BackendKind).
  int32_t backend;
  /// What the names of its chips begin with: "sm_".
  llvm::StringRef chipPrefix;
  /// What LLVM compiles for.
  llvm::StringRef triple;
};

/// By their numbers.
llvm::ArrayRef<VendorInfo> getVendors();
const VendorInfo &getVendorInfo(GPUVendor vendor);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_VENDORS_H
