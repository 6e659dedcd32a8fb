//===- Options.h - How a program is compiled --------------------*- C++ -*-===//

#ifndef LIB_CAPI_OPTIONS_H
#define LIB_CAPI_OPTIONS_H

#include "Checked.h"
#include "StencilDialect-c/Executable.h"
#include "StencilDialect/Execution/Executable.h"

#include <optional>

namespace stencil::capi {

/// The options of a handle, the defaults for 0; nothing if it is no handle.
std::optional<ExecutableOptions> getOptions(uint64_t handle);

} // namespace stencil::capi

#endif // LIB_CAPI_OPTIONS_H
