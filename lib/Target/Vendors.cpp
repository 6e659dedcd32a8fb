//===- Vendors.cpp - What differs between vendors of GPUs -----------------===//

#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace stencil;

ArrayRef<VendorInfo> stencil::getVendors() {
  static constexpr VendorInfo kVendors[] = {
      {GPUVendor::NVIDIA, "NVIDIA", "cuda", 0, "sm_", "nvptx64-nvidia-cuda"},
      {GPUVendor::AMD, "AMD", "hip", 1, "gfx", "amdgcn-amd-amdhsa"},
  };
  return kVendors;
}

const VendorInfo &stencil::getVendorInfo(GPUVendor vendor) {
  return *find_if(getVendors(), [&](const VendorInfo &info) {
    return info.vendor == vendor;
  });
}

// LLVM's names without a number ("fiji", "generic") are none of the driver's.
std::optional<GPUVendor> stencil::getVendorOfChip(StringRef chip) {
  for (const VendorInfo &info : getVendors())
    if (chip.starts_with(info.chipPrefix))
      return info.vendor;
  return std::nullopt;
}

StringRef stencil::getVendorName(GPUVendor vendor) {
  return getVendorInfo(vendor).name;
}

StringRef stencil::getRuntimeName(GPUVendor vendor) {
  return getVendorInfo(vendor).runtime;
}
