//===- Banks.h - Conflicts for the banks of shared memory -------*- C++ -*-===//
//
// Shared memory has 32 banks of 4 bytes side by side. An access of a warp takes
// as many passes as the bank with the most different words has; lanes that want
// more than 128 bytes together take turns in any case: 16 lanes of 8 bytes, 8
// of 16 (CUDA C++ Programming Guide, "Shared Memory"). Of AMD's 64 lanes, up to
// 8 bytes each, halves take turns: the LDS looks at the requests of 32 lanes
// together, those of 8 bytes in two passes (AMD, "OpenCL Optimization Guide",
// 2.7.2: "Bank conflicts are determined by what addresses are accessed on each
// half wavefront boundary").
//
// Lanes run one after another here. What they do at one op for the n-th time
// since the last barrier of the block is taken for one access of the warp.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_EMULATOR_BANKS_H
#define STENCIL_RUNTIME_EMULATOR_BANKS_H

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace stencil::runtime::emulator {

struct BankCount {
  /// Of warps; passes that they took; those that as many words need, if all
  /// banks have as many of them.
  uint64_t accesses = 0, passes = 0, needed = 0;

  void add(const BankCount &other);
};

/// By kernel and location.
class BankStatistics {
public:
  /// Those of the process, printed to stderr at its end; null unless
  /// STENCIL_EMULATOR_STATISTICS asks for them.
  static BankStatistics *get();

  void add(const std::string &kernel, const char *location,
           const BankCount &count);
  /// A line per kernel, and one per op that uses shared memory, the worst one
  /// first; empty if there is nothing to tell.
  std::string print() const;

private:
  std::map<std::string, std::map<std::string, BankCount>> kernels;
};

/// Of the block that runs.
class BankCounter {
public:
  BankCounter(BankStatistics &statistics, std::string kernel, unsigned warpSize)
      : statistics(statistics), kernel(std::move(kernel)), warpSize(warpSize) {}

  void note(uint32_t warp, uint32_t lane, const char *location, size_t offset,
            size_t bytes);
  /// All threads are at a barrier, or at the end.
  void flush();

private:
  struct Lane {
    uint32_t lane;
    size_t offset, bytes;
  };
  BankCount count(const std::vector<Lane> &lanes) const;

  BankStatistics &statistics;
  std::string kernel;
  unsigned warpSize;
  /// By warp, location and lane: how often it came by. By warp, location and
  /// how often: who came.
  std::map<std::tuple<uint32_t, const char *, uint32_t>, uint32_t> visits;
  std::map<std::tuple<uint32_t, const char *, uint32_t>, std::vector<Lane>>
      accesses;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_BANKS_H
