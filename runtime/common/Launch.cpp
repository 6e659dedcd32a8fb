//===- Launch.cpp - Launches, checked against the limits ------------------===//
//
// The drivers answer a launch that cannot be with "invalid value". Here it is
// said which value, and what would be valid.
//
//===----------------------------------------------------------------------===//

#include "Failure.h"
#include "Guard.h"
#include "Modules.h"
#include "State.h"
#include "StencilRuntime/Runtime.h"

using namespace stencil::runtime;

namespace {

/// As MLIR's index type has it.
struct Extents {
  intptr_t x, y, z;
};

} // namespace

static std::string format(uint64_t x, uint64_t y, uint64_t z) {
  return std::to_string(x) + " x " + std::to_string(y) + " x " +
         std::to_string(z);
}

static std::string format(Extents extents) {
  return std::to_string(extents.x) + " x " + std::to_string(extents.y) + " x " +
         std::to_string(extents.z);
}

/// `limit` 0 stands for a limit that is not known.
static bool isWithin(intptr_t extent, uint32_t limit) {
  return extent >= 1 && extent <= (limit ? intptr_t(limit) : UINT32_MAX);
}

static Dim3 check(const Kernel &kernel, const char *what, Extents extents,
                  Dim3 limit) {
  if (!isWithin(extents.x, limit.x) || !isWithin(extents.y, limit.y) ||
      !isWithin(extents.z, limit.z))
    fail("launch of kernel '" + kernel.name + "': expected a " + what +
         " from 1 x 1 x 1 to " + format(limit.x, limit.y, limit.z) + ", got " +
         format(extents));
  return {static_cast<uint32_t>(extents.x), static_cast<uint32_t>(extents.y),
          static_cast<uint32_t>(extents.z)};
}

static void checkThreads(const Kernel &kernel, const DeviceInfo &device,
                         Dim3 block) {
  uint64_t threads = block.count();
  uint32_t limit = device.maxThreadsPerBlock;
  std::string reason = "of the device";
  if (kernel.info.maxThreadsPerBlock &&
      (!limit || kernel.info.maxThreadsPerBlock < limit)) {
    limit = kernel.info.maxThreadsPerBlock;
    reason = "of the kernel, with its launch bounds and " +
             std::to_string(kernel.info.registers) + " registers";
  }
  if (limit && threads > limit)
    fail("launch of kernel '" + kernel.name + "': expected at most " +
         std::to_string(limit) + " threads in a block, the limit " + reason +
         ", got " + std::to_string(threads) + " (" +
         format(block.x, block.y, block.z) + ")");
}

static void provideSharedMemory(Kernel &kernel, const DeviceInfo &device,
                                int32_t dynamicBytes) {
  if (dynamicBytes < 0)
    fail("launch of kernel '" + kernel.name +
         "': expected 0 or more bytes of dynamic shared memory, got " +
         std::to_string(dynamicBytes));
  uint64_t total = kernel.info.staticSharedBytes + uint64_t(dynamicBytes);
  if (device.maxSharedBytes && total > device.maxSharedBytes)
    fail("launch of kernel '" + kernel.name + "': expected at most " +
         std::to_string(device.maxSharedBytes) +
         " bytes of shared memory in a block, the limit of " + device.name +
         ", got " + std::to_string(total) + " (static " +
         std::to_string(kernel.info.staticSharedBytes) + ", dynamic " +
         std::to_string(dynamicBytes) + ")");
  // Every kernel may use this much.
  constexpr uint64_t free = 48 * 1024;
  auto bytes = static_cast<uint32_t>(dynamicBytes);
  if (total <= free || bytes <= kernel.allowedSharedBytes)
    return;
  kernel.backend->setMaxDynamicSharedBytes(kernel.function, kernel.name.c_str(),
                                           bytes);
  kernel.allowedSharedBytes = bytes;
}

static void launch(void *function, Extents cluster, Extents grid, Extents block,
                   int32_t dynamicBytes, LaunchConfig config) {
  if (!function)
    fail("launch: expected a kernel, got null");
  auto &kernel = *static_cast<Kernel *>(function);
  const DeviceInfo &device = getDevice(*kernel.backend);
  // Nothing to do: the domain is empty.
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return;
  config.grid = check(kernel, "grid", grid, device.maxGrid);
  config.block = check(kernel, "block", block, device.maxBlock);
  config.cluster = check(kernel, "cluster", cluster, config.grid);
  if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    fail("launch of kernel '" + kernel.name +
         "': expected a grid of whole clusters of " + format(cluster) +
         " blocks, got " + format(grid));
  checkThreads(kernel, device, config.block);
  provideSharedMemory(kernel, device, dynamicBytes);
  config.dynamicSharedBytes = static_cast<uint32_t>(dynamicBytes);
  noteLaunch(kernel.name.c_str());
  kernel.backend->launch(kernel.function, kernel.name.c_str(), config);
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **params, void **extra, size_t numParams) {
  guard([&] {
    LaunchConfig config;
    config.stream = stream;
    config.params = params;
    config.extra = extra;
    config.numParams = numParams;
    launch(function, {1, 1, 1}, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
           sharedBytes, config);
  });
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream, void **params,
                             void **extra) {
  guard([&] {
    LaunchConfig config;
    config.stream = stream;
    config.params = params;
    config.extra = extra;
    launch(function, {clusterX, clusterY, clusterZ}, {gridX, gridY, gridZ},
           {blockX, blockY, blockZ}, sharedBytes, config);
  });
}
