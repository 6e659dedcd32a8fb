//===- Device.h - The GPU that stencil-run runs on --------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_RUN_DEVICE_H
#define STENCIL_TOOLS_STENCIL_RUN_DEVICE_H

#include "Options.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Execution/Extents.h"
#include "StencilRuntime/Device.h"

namespace stencil {

/// The device of a target, and what is known of it.
struct Device {
  GPUCompileOptions target;
  runtime::DeviceInfo info;
};

/// Of the interior, for which a program is compiled: 0 along axes of which it
/// is not known; empty: any.
std::vector<int64_t> getKnownExtents(const RunOptions &options,
                                     const Signature &signature,
                                     const Extents &extents);

/// Finds the device that --target asks for. Fails with the driver's reason.
llvm::Expected<Device> openDevice(const RunOptions &options,
                                  const Signature &signature,
                                  const Extents &extents);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_RUN_DEVICE_H
