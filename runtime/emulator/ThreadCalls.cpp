//===- ThreadCalls.cpp - Identity, shared memory, barriers ----------------===//

#include "Launch.h"
#include "StencilRuntime/EmulatorCalls.h"

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

static int64_t getAxis(Dim3 dim, int32_t axis) {
  return axis == 0 ? dim.x : axis == 1 ? dim.y : dim.z;
}

int64_t stencilEmulatorId(int32_t which) {
  Launch &launch = *Launch::getCurrent();
  Block &block = launch.getBlock();
  Thread &thread = block.getRunning();
  int32_t axis = which < 12 ? which % 3 : 0;
  auto id = static_cast<EmulatorId>(which - axis);
  switch (id) {
  case EmulatorId::Thread:
    return getAxis(thread.id, axis);
  case EmulatorId::Block:
    return getAxis(block.getId(), axis);
  case EmulatorId::BlockSize:
    return getAxis(launch.getShape().block, axis);
  case EmulatorId::GridSize:
    return getAxis(launch.getShape().grid, axis);
  case EmulatorId::Lane:
    return thread.lane;
  case EmulatorId::Warp:
    return thread.warp->number;
  case EmulatorId::NumWarps:
    return block.getNumWarps();
  case EmulatorId::WarpSize:
    return launch.getWarpSize();
  }
  return 0;
}

void *stencilEmulatorSharedArray(int32_t number) {
  Block &block = Launch::getCurrent()->getBlock();
  return block.getShared() + block.getArray(number).offset;
}

void *stencilEmulatorDynamicShared() {
  Block &block = Launch::getCurrent()->getBlock();
  return block.getShared() + block.getDynamicArray().offset;
}

int64_t stencilEmulatorDynamicSharedBytes() {
  return Launch::getCurrent()->getShape().dynamicSharedBytes;
}

void stencilEmulatorBarrier(const char *location) {
  Launch::getCurrent()->getBlock().barrier(location);
}

void stencilEmulatorNamedBarrier(int32_t id, int32_t threads, int32_t waits,
                                 const char *location) {
  Launch &launch = *Launch::getCurrent();
  auto count = static_cast<uint32_t>(threads);
  if (id < 0 || id > 15)
    launch.failInThread("expected a barrier's number from 0 to 15, got " +
                            std::to_string(id),
                        location);
  if (count > launch.getBlock().getNumThreads() ||
      count % launch.getWarpSize() != 0)
    launch.failInThread("expected a barrier for a multiple of " +
                            std::to_string(launch.getWarpSize()) +
                            " threads, at most " +
                            std::to_string(launch.getBlock().getNumThreads()) +
                            ", got " + std::to_string(threads),
                        location);
  launch.getBlock().namedBarrier(id, count, waits, location);
}
