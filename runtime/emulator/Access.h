//===- Access.h - Checks of accesses ------------------------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_ACCESS_H
#define STENCIL_RUNTIME_EMULATOR_ACCESS_H

#include "Launch.h"

namespace stencil::runtime::emulator {

/// Where bytes are known to lie.
struct Place {
  Shadow *shadow;
  size_t offset;
  bool isShared;
};

/// `access` is made of EmulatorAccess. Fails if the bytes are not all in one
/// allocation or array.
Place locate(Launch &launch, const void *address, int64_t bytes, int32_t access,
             const char *location);

/// Enters an access of the running thread; fails if it races, or reads what has
/// no value.
void checkAccess(Launch &launch, const Place &place, int64_t bytes,
                 int32_t access, const char *location);

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_ACCESS_H
