//===- Device.cpp - The GPU that stencil-run runs on ----------------------===//

#include "Device.h"
#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilRuntime/Backend.h"
#include "llvm/ADT/STLExtras.h"

using namespace stencil;

std::vector<int64_t> stencil::getKnownExtents(const RunOptions &options,
                                              const Signature &signature,
                                              const Extents &extents) {
  // Without a field that has bounds --extents are of whole arrays: not of an
  // interior, which functions that are called may give them.
  bool hasInterior =
      llvm::any_of(signature.parameters, [](const Parameter &parameter) {
        return parameter.field && !parameter.field->boxes.empty();
      });
  std::vector<int64_t> known;
  if (!options.anyExtents && hasInterior)
    for (std::optional<int64_t> extent : extents.interior)
      known.push_back(extent.value_or(0));
  return known;
}

llvm::Expected<Device> stencil::openDevice(const RunOptions &options,
                                           const Signature &signature,
                                           const Extents &extents) {
  Device device;
  device.target.target = options.gpu;
  device.target.chip = options.chip;
  device.target.schedule = options.schedule;
  device.target.tuningDatabase = options.tuningDatabase;
  device.target.algebra = options.algebra;
  device.target.deviceArrays = options.deviceArrays;
  device.target.extents = getKnownExtents(options, signature, extents);
  if (options.gpu->isEmulator())
    return device;
  std::string problem =
      runtime::queryDevice(getBackendKind(*options.gpu), device.info);
  if (!problem.empty())
    return llvm::createStringError("--target " + options.getTargetName() +
                                   ": " + problem);
  if (device.target.chip.empty()) {
    DeviceTarget found =
        findDeviceTarget(*options.gpu, device.info, device.target.toolkit);
    for (const std::string &warning : found.warnings)
      llvm::errs() << "warning: " << warning << "\n";
    device.target.chip = found.name;
  }
  return device;
}
