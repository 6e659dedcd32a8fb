//===- DeviceMemory.cpp - The emulated device's memory --------------------===//

#include "DeviceMemory.h"

using namespace stencil::runtime::emulator;

static constexpr size_t kRedzone = 4096;

Allocation::Allocation(size_t bytes)
    : shadow(bytes), memory(bytes + 2 * kRedzone), bytes(bytes) {
  if (!memory)
    return;
  // Pages are aligned, and so is what lies a page behind.
  start = memory.data() + kRedzone;
  poison(start, bytes);
}

void *DeviceMemory::allocate(size_t bytes) {
  auto allocation = std::make_unique<Allocation>(bytes);
  if (!*allocation)
    return nullptr;
  char *address = allocation->begin();
  allocations[address] = std::move(allocation);
  return address;
}

bool DeviceMemory::free(void *address) {
  last = nullptr;
  return allocations.erase(static_cast<const char *>(address)) != 0;
}

Allocation *DeviceMemory::find(const void *address) {
  if (last && last->contains(address))
    return last;
  auto next = allocations.upper_bound(static_cast<const char *>(address));
  if (next == allocations.begin())
    return nullptr;
  Allocation *found = std::prev(next)->second.get();
  if (!found->contains(address))
    return nullptr;
  return last = found;
}

std::string DeviceMemory::describe(const void *address) const {
  const char *where = static_cast<const char *>(address);
  auto next = allocations.upper_bound(where);
  const Allocation *before =
      next == allocations.begin() ? nullptr : std::prev(next)->second.get();
  const Allocation *after =
      next == allocations.end() ? nullptr : next->second.get();
  auto describeSize = [](const Allocation *allocation) {
    return " an allocation of " + std::to_string(allocation->size()) + " bytes";
  };
  // Far away, an allocation has nothing to do with it.
  constexpr size_t near = size_t(1) << 20;
  if (before && where < before->end())
    return std::to_string(where - before->begin()) + " bytes into" +
           describeSize(before);
  if (before && static_cast<size_t>(where - before->end()) < near)
    return std::to_string(where - before->end()) + " bytes behind" +
           describeSize(before);
  if (after && static_cast<size_t>(after->begin() - where) < near)
    return std::to_string(after->begin() - where) + " bytes before" +
           describeSize(after);
  return "outside of any allocation";
}

void DeviceMemory::setDefined(void *address, size_t bytes) {
  if (Allocation *allocation = find(address)) {
    size_t offset = static_cast<char *>(address) - allocation->begin();
    allocation->shadow.setDefined(
        offset, std::min(bytes, allocation->size() - offset), true);
  }
}
