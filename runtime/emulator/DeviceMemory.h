//===- DeviceMemory.h - The emulated device's memory --------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_DEVICEMEMORY_H
#define STENCIL_RUNTIME_EMULATOR_DEVICEMEMORY_H

#include "Shadow.h"

#include <map>
#include <memory>
#include <string>

namespace stencil::runtime::emulator {

/// Memory between two redzones, poisoned at first.
class Allocation {
public:
  /// Device memory is aligned like this, as cudaMalloc's.
  static constexpr size_t kAlignment = 256;

  explicit Allocation(size_t bytes);

  char *begin() const { return start; }
  char *end() const { return start + bytes; }
  size_t size() const { return bytes; }
  bool contains(const void *address) const {
    return static_cast<size_t>(static_cast<const char *>(address) - start) <
           bytes;
  }
  explicit operator bool() const { return bool(memory) && bool(shadow); }

  Shadow shadow;

private:
  Mapping memory;
  char *start = nullptr;
  size_t bytes;
};

/// All allocations. Not safe against calls from several threads.
class DeviceMemory {
public:
  /// Null if there is not enough.
  void *allocate(size_t bytes);
  /// False if there is no allocation at this address.
  bool free(void *address);
  /// The allocation that an address lies in, or null.
  Allocation *find(const void *address);
  /// Where an address lies relative to the nearest allocation, for messages.
  std::string describe(const void *address) const;
  /// The host has written to these bytes, if they are device memory.
  void setDefined(void *address, size_t bytes);

private:
  std::map<const char *, std::unique_ptr<Allocation>> allocations;
  /// What `find` found last.
  Allocation *last = nullptr;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_DEVICEMEMORY_H
