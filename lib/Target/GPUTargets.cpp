//===- GPUTargets.cpp - What --target says of GPUs ------------------------===//

#include "StencilDialect/Target/GPUTargets.h"
#include "StencilDialect/Support/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <vector>

using namespace llvm;
using namespace stencil;

/// As in BackendKind: programs that are compiled have it.
static constexpr int32_t kEmulatorBackend = 2;

ArrayRef<GPUTarget> stencil::getGPUTargets() {
  static const std::vector<GPUTarget> targets = [] {
    std::vector<GPUTarget> targets;
    for (const VendorInfo &vendor : getVendors())
      targets.push_back({vendor.runtime, &vendor, vendor.backend, ""});
    targets.push_back({"emulator", nullptr, kEmulatorBackend,
                       getVendors().front().exampleChip});
    return targets;
  }();
  return targets;
}

const GPUTarget *stencil::findGPUTarget(StringRef name) {
  for (const GPUTarget &target : getGPUTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}

const GPUTarget &stencil::getGPUTarget(GPUVendor vendor) {
  return *find_if(getGPUTargets(), [&](const GPUTarget &target) {
    return target.vendor && target.vendor->vendor == vendor;
  });
}

const GPUTarget &stencil::getEmulator() { return getGPUTargets().back(); }

const GPUTarget &stencil::chooseGPUTarget(GPUVendor vendor, bool emulate) {
  return emulate ? getEmulator() : getGPUTarget(vendor);
}

std::string GPUTarget::getExampleChips() const {
  if (vendor)
    return vendor->exampleChip.str();
  return joinChoices(map_to_vector(
      getVendors(), [](const VendorInfo &info) { return info.exampleChip; }));
}

std::string stencil::listGPUTargets(ArrayRef<StringRef> others) {
  SmallVector<StringRef> names(others);
  for (const GPUTarget &target : getGPUTargets())
    names.push_back(target.name);
  return joinChoices(names);
}
