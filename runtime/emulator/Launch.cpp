//===- Launch.cpp - A running kernel --------------------------------------===//

#include "Launch.h"

#include <numeric>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

static thread_local Launch *currentLaunch = nullptr;

std::string stencil::runtime::emulator::print(Dim3 dim) {
  return "(" + std::to_string(dim.x) + ", " + std::to_string(dim.y) + ", " +
         std::to_string(dim.z) + ")";
}

Dim3 stencil::runtime::emulator::unflatten(uint64_t linear, Dim3 size) {
  return {static_cast<uint32_t>(linear % size.x),
          static_cast<uint32_t>(linear / size.x % size.y),
          static_cast<uint32_t>(linear / size.x / size.y)};
}

uint64_t
stencil::runtime::emulator::getStaticSharedBytes(const EmulatorKernel &kernel) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < kernel.numArrays; ++i) {
    uint64_t alignment = kernel.arrays[i].alignment;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    bytes += kernel.arrays[i].bytes;
  }
  return bytes;
}

Launch::Launch(const Function &function, const LaunchShape &shape,
               void **params, DeviceMemory &memory, uint64_t seed,
               std::vector<BlockRange> concurrent)
    : function(function), shape(shape), params(params), memory(memory),
      seed(seed), concurrent(std::move(concurrent)) {}

Launch *Launch::getCurrent() { return currentLaunch; }

bool Launch::isArgument(const void *address, size_t bytes) const {
  const char *at = static_cast<const char *>(address);
  for (uint32_t i = 0; i < getKernel().numParams; ++i) {
    const char *begin = static_cast<const char *>(params[i]);
    if (at >= begin && at + bytes <= begin + getKernel().paramBytes[i])
      return true;
  }
  return false;
}

/// The block that runs as number `i`: a permutation of the grid, so that no
/// result depends on the order.
Dim3 Launch::getBlockId(uint64_t i) const {
  uint64_t count = shape.grid.count();
  uint64_t factor = (seed | 1) % count;
  while (factor == 0 || std::gcd(factor, count) != 1)
    ++factor;
  auto position = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(i) * factor + seed % count) % count);
  return unflatten(position, shape.grid);
}

std::string Launch::run(uint32_t &numBlocks) {
  uint64_t count = shape.grid.count();
  firstBlock = numBlocks + 1;
  Launch *outer = currentLaunch;
  currentLaunch = this;
  block = std::make_unique<Block>(*this);
  for (uint64_t i = 0; i < count && !hasFault(); ++i)
    block->run(getBlockId(i), ++numBlocks);
  currentLaunch = outer;
  return fault;
}

std::string Launch::describe(const Record &record) const {
  if (record.block < firstBlock)
    return std::string("a kernel in another stream, at ") +
           record.getLocation() + ", for which no event has been waited";
  std::string where =
      "block " + print(getBlockId(record.block - firstBlock)) + ", ";
  if (record.getThread() >= shape.block.count())
    return where + "an asynchronous copy, at " + record.getLocation() +
           ", which has not been waited for";
  return where + "thread " + print(unflatten(record.getThread(), shape.block)) +
         ", at " + record.getLocation();
}

void Launch::failInThread(const std::string &what, const char *location,
                          const std::string &note) {
  {
    Thread &thread = block->getRunning();
    fault = what + ", in kernel " + function.kernel->name + ", block " +
            print(block->getId()) + ", thread " + print(thread.id) + ", at " +
            location;
    if (!note.empty())
      fault += "; " + note;
  }
  // No one enters this fiber again.
  while (true)
    block->abandon();
}
