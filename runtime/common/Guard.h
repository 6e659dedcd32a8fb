//===- Guard.h - Where errors end -------------------------------*- C++ -*-===//

#ifndef STENCIL_RUNTIME_COMMON_GUARD_H
#define STENCIL_RUNTIME_COMMON_GUARD_H

#include "StencilRuntime/Error.h"

#include <new>

namespace stencil::runtime {

/// Whether an earlier call of this thread failed, and nobody has asked yet.
bool hasFailed();

/// Runs an entry point, which does nothing after a failure.
template <typename Body> auto guard(Body body) -> decltype(body()) {
  if (!hasFailed())
    try {
      return body();
    } catch (const Failure &) {
      return decltype(body())(); // It has been reported.
    } catch (const std::bad_alloc &) {
      stencilFail(STENCIL_OUT_OF_MEMORY, "out of memory");
    }
  return decltype(body())();
}

/// Runs an entry point that releases something, also after a failure.
template <typename Body> void guardRelease(Body body) {
  try {
    body();
  } catch (const Failure &) {
    return; // As above.
  } catch (const std::bad_alloc &) {
    stencilFail(STENCIL_OUT_OF_MEMORY, "out of memory");
  }
}

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_GUARD_H
