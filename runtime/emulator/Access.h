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

  Space getSpace() const { return isShared ? Space::Shared : Space::Global; }
};

/// `access` is made of EmulatorAccess. Fails if the bytes are not all in one
/// allocation or array.
Place locate(Launch &launch, const void *address, int64_t bytes, int32_t access,
             const char *location);

/// Enters an access of the running thread; fails if it races, or reads what has
/// no value.
void checkAccess(Launch &launch, const Place &place, int64_t bytes,
                 int32_t access, const char *location);

/// Who makes a copy: the number of an agent, the time at which it is issued,
/// and whether it goes through the async proxy.
struct Copier {
  uint32_t agent;
  uint32_t clock;
  bool isBulk;
};

/// Enters an access of a copy that the running thread issues.
void checkCopy(Launch &launch, const Place &place, int64_t bytes,
               int32_t access, const Copier &copier, const char *location);

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_ACCESS_H
