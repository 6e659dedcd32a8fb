//===- Tma.cpp - Copies of boxes of tensors -------------------------------===//
//
// A load reads its box at once and brings it when its mbarrier is waited for;
// until then the target is poison. Elements outside of the tensor are zeros. A
// store takes its box when it is waited for: whoever changes it before that is
// noticed.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "MBarrier.h"
#include "StencilRuntime/EmulatorCalls.h"
#include "TensorMap.h"

#include <algorithm>
#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

namespace {

/// The part of a row of the box that lies in the tensor.
struct Row {
  /// In the box, in bytes.
  size_t offset;
  char *address;
  size_t bytes;
};

struct Box {
  size_t bytes;
  std::vector<Row> rows;
};

TensorMap readMap(Launch &launch, const void *map, int32_t rank,
                  const char *location) {
  if (!launch.isArgument(map, kTensorMapBytes)) {
    Place place = locate(launch, map, kTensorMapBytes, 0, location);
    checkAccess(launch, place, kTensorMapBytes, 0, location);
  }
  TensorMap result;
  std::memcpy(&result, map, sizeof(result));
  if (result.magic != TensorMap::kMagic)
    launch.failInThread("expected a tensor map, got other bytes", location);
  if (result.rank != rank)
    launch.failInThread("expected " + std::to_string(result.rank) +
                            " coordinates for the tensor map, got " +
                            std::to_string(rank),
                        location);
  return result;
}

Box getBox(const TensorMap &map, const int64_t *coordinates) {
  size_t rowBytes = size_t(map.box[0]) * map.elementBytes;
  size_t numRows = 1;
  for (int axis = 1; axis < map.rank; ++axis)
    numRows *= map.box[axis];
  Box box = {rowBytes * numRows, {}};
  auto extent = static_cast<int64_t>(map.extents[0]);
  int64_t first = std::max<int64_t>(coordinates[0], 0);
  int64_t last = std::min<int64_t>(coordinates[0] + map.box[0], extent);
  for (size_t i = 0; i < numRows; ++i) {
    size_t rest = i;
    uint64_t address = map.address;
    bool inside = first < last;
    for (int axis = 1; axis < map.rank; ++axis) {
      int64_t at =
          coordinates[axis] + static_cast<int64_t>(rest % map.box[axis]);
      rest /= map.box[axis];
      inside &= at >= 0 && at < static_cast<int64_t>(map.extents[axis]);
      address += at * map.strides[axis - 1];
    }
    if (inside)
      box.rows.push_back(
          {i * rowBytes + (first - coordinates[0]) * map.elementBytes,
           reinterpret_cast<char *>(address + first * map.elementBytes),
           static_cast<size_t>(last - first) * map.elementBytes});
  }
  return box;
}

/// Where a box lies in shared memory.
Place locateTile(Launch &launch, const void *tile, size_t bytes, int32_t access,
                 const char *location) {
  auto size = static_cast<int64_t>(bytes);
  if (reinterpret_cast<uintptr_t>(tile) % 128 != 0)
    launch.failInThread("misaligned tile of a tensor: its address is no "
                        "multiple of 128 bytes",
                        location);
  Place place = locate(launch, tile, size, access, location);
  if (!place.isShared)
    launch.failInThread("tile of a tensor in global memory, expected shared",
                        location);
  checkAccess(launch, place, size, access, location);
  return place;
}

} // namespace

void stencilEmulatorTmaLoad(void *target, const void *map, void *barrier,
                            const int64_t *coordinates, int32_t rank,
                            const char *location) {
  Launch &launch = *Launch::getCurrent();
  Block &block = launch.getBlock();
  Box box = getBox(readMap(launch, map, rank, location), coordinates);
  MBarrier &state = getMBarrier(launch, barrier, location);
  Place place = locateTile(launch, target, box.bytes, AccessWrite, location);
  PendingCopy copy = {static_cast<char *>(target), {}, location, {}, {}};
  copy.data.assign(box.bytes, 0);
  for (const Row &row : box.rows) {
    auto bytes = static_cast<int64_t>(row.bytes);
    Place from = locate(launch, row.address, bytes, AccessCopy, location);
    checkAccess(launch, from, bytes, AccessCopy, location);
    from.shadow->findHoles(from.offset, row.bytes, row.offset, copy.holes);
    std::memcpy(copy.data.data() + row.offset, row.address, row.bytes);
  }
  poison(target, box.bytes);
  place.shadow->setDefined(place.offset, box.bytes, false);
  block.release(block.getRunning(), copy.released);
  state.copies.push_back(std::move(copy));
}

void stencilEmulatorTmaStore(const void *source, const void *map,
                             const int64_t *coordinates, int32_t rank,
                             const char *location) {
  Launch &launch = *Launch::getCurrent();
  Thread &thread = launch.getBlock().getRunning();
  Box box = getBox(readMap(launch, map, rank, location), coordinates);
  locateTile(launch, source, box.bytes, AccessVector, location);
  const char *bytes = static_cast<const char *>(source);
  PendingStore store = {bytes, {bytes, bytes + box.bytes}, {}, location};
  for (const Row &row : box.rows) {
    stencilEmulatorCheck(row.address, static_cast<int64_t>(row.bytes), 1,
                         AccessWrite, location);
    Allocation &allocation = *launch.getMemory().find(row.address);
    poison(row.address, row.bytes);
    allocation.shadow.setDefined(row.address - allocation.begin(), row.bytes,
                                 false);
    store.parts.push_back({row.offset, row.bytes, row.address});
  }
  if (thread.stores.empty())
    thread.stores.emplace_back();
  thread.stores.back().push_back(std::move(store));
}

void stencilEmulatorBulkCommit() {
  Thread &thread = Launch::getCurrent()->getBlock().getRunning();
  if (thread.stores.empty())
    thread.stores.emplace_back();
  thread.stores.emplace_back();
}

void stencilEmulatorBulkWait(int32_t groups, const char *location) {
  Launch &launch = *Launch::getCurrent();
  Thread &thread = launch.getBlock().getRunning();
  // The last group is open: it is not waited for.
  while (thread.stores.size() > size_t(groups) + 1) {
    for (const PendingStore &store : thread.stores.front()) {
      if (std::memcmp(store.source, store.data.data(), store.data.size()) != 0)
        launch.failInThread("a tile was changed while it was being stored",
                            location,
                            std::string("the store is at ") + store.location);
      for (const PendingStore::Part &part : store.parts) {
        std::memcpy(part.target, store.data.data() + part.offset, part.bytes);
        launch.getMemory().setDefined(part.target, part.bytes);
      }
    }
    thread.stores.pop_front();
  }
}
