//===- Vendors.cpp - What differs between vendors of GPUs -----------------===//

#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static VendorInfo makeNVIDIA() {
  static constexpr StringRef kDialects[] = {"nvgpu", "nvvm"};
  // CUDA's memory and its managed memory.
  static constexpr int kDevices[] = {2, 13}, kHosts[] = {3};
  VendorInfo info = {};
  info.vendor = GPUVendor::NVIDIA;
  info.name = "NVIDIA";
  info.key = "nvidia";
  info.runtime = "cuda";
  info.backend = 0;
  info.chipPrefix = "sm_";
  info.chipSuffixes = "af";
  info.exampleChip = "sm_90";
  info.triple = "nvptx64-nvidia-cuda";
  info.registerChips = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
  };
  info.lowering = "nvvm";
  info.dialects = kDialects;
  info.launchBounds = {"nvvm.minctasm", 0};
  info.assemblySaysSpills = false;
  info.transfersPerCycle = 2;
  info.driver = {"libcuda.so.1", "cuStreamSynchronize"};
  info.dlpack = {kDevices, kHosts, 1};
  return info;
}

static VendorInfo makeAMD() {
  static constexpr StringRef kDialects[] = {"amdgpu", "rocdl"};
  static constexpr int kDevices[] = {10}, kHosts[] = {11};
  VendorInfo info = {};
  info.vendor = GPUVendor::AMD;
  info.name = "AMD";
  info.key = "amd";
  info.runtime = "hip";
  info.backend = 1;
  info.chipPrefix = "gfx";
  info.exampleChip = "gfx942";
  info.triple = "amdgcn-amd-amdhsa";
  info.registerChips = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
  };
  info.lowering = "rocdl";
  info.dialects = kDialects;
  // Waves of each of the four SIMD units of a CU.
  info.launchBounds = {"rocdl.waves_per_eu", 4};
  info.assemblySaysSpills = true;
  // Two or four, as the memory is.
  info.transfersPerCycle = 0;
  info.driver = {"libamdhip64.so", "hipStreamSynchronize"};
  info.dlpack = {kDevices, kHosts, 0};
  return info;
}

ArrayRef<VendorInfo> stencil::getVendors() {
  static const VendorInfo vendors[] = {makeNVIDIA(), makeAMD()};
  return vendors;
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

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

int64_t LaunchBounds::count(int64_t blocks, int64_t threads,
                            unsigned warpSize) const {
  if (units == 0)
    return blocks;
  return std::max<int64_t>(
      1, divideCeil(blocks * threads, int64_t(units) * warpSize));
}
