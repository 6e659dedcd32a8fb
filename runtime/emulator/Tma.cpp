//===- Tma.cpp - Copies of boxes of tensors -------------------------------===//
//
// A load reads its box at once and brings it when its mbarrier is waited for,
// or, by the seed, before; until it comes the target is poison. Elements
// outside of the tensor are zeros. A store takes its box at once and brings it
// likewise. Until a copy is waited for, other accesses to its source and target
// race with it. Copies go through the async proxy.
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
  if (reinterpret_cast<uintptr_t>(tile) % 128 != 0)
    launch.failInThread("misaligned tile of a tensor: its address is no "
                        "multiple of 128 bytes",
                        location);
  Place place =
      locate(launch, tile, static_cast<int64_t>(bytes), access, location);
  if (!place.isShared)
    launch.failInThread("tile of a tensor in global memory, expected shared",
                        location);
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
  checkInitIsFenced(launch, state, location);
  auto boxBytes = static_cast<int64_t>(box.bytes);
  Place place = locateTile(launch, target, box.bytes, AccessWrite, location);
  Copier copier = {block.getAgent(state.agent, location), block.tick(),
                   /*isBulk=*/true};
  checkCopy(launch, place, boxBytes, AccessWrite, copier, location);
  PendingCopy copy = {
      static_cast<char *>(target), {}, location, copier.clock, {}};
  copy.data.assign(box.bytes, 0);
  for (const Row &row : box.rows) {
    auto bytes = static_cast<int64_t>(row.bytes);
    Place from = locate(launch, row.address, bytes, AccessCopy, location);
    checkCopy(launch, from, bytes, AccessCopy, copier, location);
    from.shadow->findHoles(from.offset, row.bytes, row.offset, copy.holes);
    std::memcpy(copy.data.data() + row.offset, row.address, row.bytes);
  }
  poison(target, box.bytes);
  place.shadow->setDefined(place.offset, box.bytes, false);
  addCopy(block, state, std::move(copy));
}

void stencilEmulatorTmaStore(const void *source, const void *map,
                             const int64_t *coordinates, int32_t rank,
                             const char *location) {
  Launch &launch = *Launch::getCurrent();
  Block &block = launch.getBlock();
  Thread &thread = block.getRunning();
  Box box = getBox(readMap(launch, map, rank, location), coordinates);
  Place place = locateTile(launch, source, box.bytes, AccessVector, location);
  uint32_t now = block.tick();
  checkCopy(launch, place, static_cast<int64_t>(box.bytes), AccessVector,
            {block.getAgent(thread.readAgent, location), now, true}, location);
  const char *bytes = static_cast<const char *>(source);
  PendingStore store = {{bytes, bytes + box.bytes}, {}, location, now};
  Copier writer = {block.getAgent(thread.writeAgent, location), now, true};
  for (const Row &row : box.rows) {
    auto rowBytes = static_cast<int64_t>(row.bytes);
    Place to = locate(launch, row.address, rowBytes, AccessWrite, location);
    checkCopy(launch, to, rowBytes, AccessWrite, writer, location);
    poison(row.address, row.bytes);
    to.shadow->setDefined(to.offset, row.bytes, false);
    store.parts.push_back({row.offset, row.bytes, row.address});
  }
  if (block.completesNow())
    store.arrive(launch.getMemory());
  if (thread.stores.empty())
    thread.stores.emplace_back();
  thread.stores.back().stores.push_back(std::move(store));
}

void stencilEmulatorBulkCommit() {
  Thread &thread = Launch::getCurrent()->getBlock().getRunning();
  if (thread.stores.empty())
    thread.stores.emplace_back();
  thread.stores.emplace_back();
}

void stencilEmulatorBulkWait(int32_t groups, int32_t isRead, const char *) {
  Launch &launch = *Launch::getCurrent();
  Thread &thread = launch.getBlock().getRunning();
  // The last group is open: it is not waited for.
  size_t open = size_t(groups) + 1;
  for (size_t i = 0; i + open < thread.stores.size(); ++i) {
    StoreGroup &group = thread.stores[i];
    group.isRead = true;
    for (PendingStore &store : group.stores) {
      thread.known.addAgent(thread.readAgent, store.clock, /*isBulk=*/true);
      if (isRead)
        continue;
      if (!store.hasArrived)
        store.arrive(launch.getMemory());
      thread.known.addAgent(thread.writeAgent, store.clock, /*isBulk=*/true);
    }
  }
  while (!isRead && thread.stores.size() > open)
    thread.stores.pop_front();
}
