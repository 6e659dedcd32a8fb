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

/// The stream that the caller has set for this thread (stencilSetStream); null
/// if there is none.
void *getCallerStream();

inline bool isCallerStream(void *stream) {
  return stream && stream == getCallerStream();
}

/// Takes the caller's stream for a function that is going to wait; fails if it
/// is being recorded, unless the function in which this is called does not
/// wait.
void *takeCallerStream(Backend &backend);

/// Temporary memory that is given back in the order of the caller's stream.
/// Null if there is not enough.
void *allocateInOrder(Backend &backend, uint64_t bytes, void *stream);
/// False if the memory is none of that.
bool freeInOrder(Backend &backend, void *address, void *stream);

/// Loads what is not yet loaded of the binaries for this backend.
void loadModules(BackendKind kind);

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_STATE_H
