//===- State.h - What the entry points share --------------------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_COMMON_STATE_H
#define STENCIL_RUNTIME_COMMON_STATE_H

#include "StencilRuntime/Backend.h"

#include <atomic>

namespace stencil::runtime {

/// The description of an initialised backend's device, made once; freeBytes is
/// of that time.
const DeviceInfo &getDevice(Backend &backend);

/// Makes this kind the default if it is the first.
void noteModule(BackendKind kind);

/// True once the process is about to exit: a driver takes itself down then, in
/// an order that nobody knows, and must not be called any more.
bool isExiting();

/// Loads what is not yet loaded of the binaries for this backend.
void loadModules(BackendKind kind);

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_STATE_H
