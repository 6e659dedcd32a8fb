//===- DeviceCopies.h - Arrays for programs that take them -----*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_EXECUTION_DEVICECOPIES_H
#define STENCILDIALECT_LIB_EXECUTION_DEVICECOPIES_H

#include "StencilDialect/Execution/GPUCompilation.h"

#include <vector>

namespace stencil {

/// Copies of arrays in the memory of a device, which are copied back and freed
/// in the end. Errors are left as the status of the
/// thread (StencilRuntime/Runtime.h).
class DeviceCopies {
public:
  explicit DeviceCopies(const GPUTarget &target);
  ~DeviceCopies();
  DeviceCopies(const DeviceCopies &) = delete;
  DeviceCopies &operator=(const DeviceCopies &) = delete;

  /// Returns the copy.
  void *add(void *host, uint64_t bytes);

private:
  struct Copy {
    void *host, *device;
    uint64_t bytes;
  };

  void *stream;
  std::vector<Copy> copies;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_EXECUTION_DEVICECOPIES_H
