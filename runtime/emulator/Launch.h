//===- Launch.h - A running kernel --------------------------------*- C++
//-*-===//

#ifndef STENCIL_RUNTIME_EMULATOR_LAUNCH_H
#define STENCIL_RUNTIME_EMULATOR_LAUNCH_H

#include "Banks.h"
#include "Block.h"
#include "DeviceMemory.h"

namespace stencil::runtime::emulator {

/// A kernel of an image.
struct Function {
  const EmulatorImage *image;
  const EmulatorKernel *kernel;
};

/// The sizes of a launch.
struct LaunchShape {
  Dim3 grid, block;
  uint32_t dynamicSharedBytes = 0;
};

/// Bytes of shared memory as a GPU lays it out, the arrays one after another.
uint64_t getStaticSharedBytes(const EmulatorKernel &kernel);

/// Runs a kernel; a fault in it is left for the caller.
class Launch {
public:
  /// `concurrent` are launches that may run at the same time.
  Launch(const Function &function, const LaunchShape &shape, void **params,
         DeviceMemory &memory, uint64_t seed,
         std::vector<BlockRange> concurrent = {});

  /// Runs the blocks one after another. Returns the fault's message, empty if
  /// all went well. `numBlocks` counts through all launches.
  std::string run(uint32_t &numBlocks);

  /// The block that runs on this thread of the process; null if none.
  static Launch *getCurrent();

  Block &getBlock() { return *block; }
  const Function &getFunction() const { return function; }
  const EmulatorKernel &getKernel() const { return *function.kernel; }
  const LaunchShape &getShape() const { return shape; }
  unsigned getWarpSize() const { return function.image->warpSize; }
  DeviceMemory &getMemory() { return memory; }
  uint32_t getFirstBlock() const { return firstBlock; }
  const std::vector<BlockRange> &getConcurrent() const { return concurrent; }
  uint64_t getSeed() const { return seed; }
  void runEntry() { function.kernel->entry(params); }
  /// True if the bytes are an argument, or part of one.
  bool isArgument(const void *address, size_t bytes) const;
  /// Counts accesses to shared memory; null if nobody wants to know.
  std::unique_ptr<BankCounter> banks;
  /// In global memory, by address.
  std::map<const void *, SyncVariable> variables;
  bool hasFault() const { return !fault.empty(); }

  /// Ends the launch with a message about the running thread; called inside of
  /// a fiber. "WHAT, in kernel K, block (..), thread (..), at LOCATION; NOTE".
  [[noreturn]] void failInThread(const std::string &what, const char *location,
                                 const std::string &note = {});
  /// The same outside of a fiber.
  void setFault(const std::string &message) { fault = message; }
  /// "block (0, 1, 0), thread (3, 0, 0)" of a record, with its location.
  std::string describe(const Record &record) const;

private:
  Dim3 getBlockId(uint64_t i) const;

  Function function;
  LaunchShape shape;
  void **params;
  DeviceMemory &memory;
  uint64_t seed;
  std::vector<BlockRange> concurrent;
  uint32_t firstBlock = 0;
  std::unique_ptr<Block> block;
  std::string fault;
};

/// "(1, 2, 3)".
std::string print(Dim3 dim);
/// Number `linear`, x fastest.
Dim3 unflatten(uint64_t linear, Dim3 size);

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_LAUNCH_H
