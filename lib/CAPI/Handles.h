//===- Handles.h - Numbers that stand for objects ---------------*- C++ -*-===//

#ifndef LIB_CAPI_HANDLES_H
#define LIB_CAPI_HANDLES_H

#include "llvm/Support/RWMutex.h"

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace stencil::capi {

/// A number that no handle of this process has had.
uint64_t makeHandle();

/// Objects with the handles of their owners. A handle is never used again, so
/// that one that was released is noticed. Safe in threads.
template <typename T> class HandleTable {
public:
  /// Handles outlive what the end of a program destroys in some order.
  static HandleTable &get() {
    static auto *table = new HandleTable;
    return *table;
  }

  uint64_t add(std::shared_ptr<T> object) {
    uint64_t handle = makeHandle();
    llvm::sys::ScopedWriter lock(mutex);
    entries.emplace(handle, Entry{std::move(object), 1});
    return handle;
  }

  /// Null if it is no handle.
  std::shared_ptr<T> find(uint64_t handle) const {
    llvm::sys::ScopedReader lock(mutex);
    auto entry = entries.find(handle);
    return entry == entries.end() ? nullptr : entry->second.object;
  }

  /// False if it is no handle.
  bool retain(uint64_t handle) {
    llvm::sys::ScopedWriter lock(mutex);
    auto entry = entries.find(handle);
    if (entry == entries.end())
      return false;
    ++entry->second.owners;
    return true;
  }

  bool release(uint64_t handle) {
    // Destroyed when others can use the table again.
    std::shared_ptr<T> last;
    llvm::sys::ScopedWriter lock(mutex);
    auto entry = entries.find(handle);
    if (entry == entries.end())
      return false;
    if (--entry->second.owners == 0) {
      last = std::move(entry->second.object);
      entries.erase(entry);
    }
    return true;
  }

private:
  struct Entry {
    std::shared_ptr<T> object;
    uint64_t owners;
  };

  mutable llvm::sys::RWMutex mutex;
  // Any number may be asked for; a DenseMap reserves two.
  std::unordered_map<uint64_t, Entry> entries;
};

} // namespace stencil::capi

#endif // LIB_CAPI_HANDLES_H
