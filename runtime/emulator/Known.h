//===- Known.h - What has happened before what a thread does ------*- C++
//-*-===//
//
// Clocks. A block has a counter that grows at every synchronisation, and each
// thread a clock, the counter's value when it last released something. What
// thread u did at clock c has happened before what thread t does if t knows of
// u up to c: by a barrier of the whole block (the floor), or through what u
// released and t acquired.
//
// Asynchronous copies are agents of their own, with numbers behind those of
// the threads. What an agent does is ordered with nothing until someone has
// waited for it.
//
// Proxies (PTX ISA, "Memory Consistency Model"): bulk copies access memory
// through the async proxy. They know only those accesses of threads, and of
// cp.async, that a fence.proxy.async has followed. An agent has two numbers,
// the second one for what the async proxy knows of it.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_EMULATOR_KNOWN_H
#define STENCIL_RUNTIME_EMULATOR_KNOWN_H

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace stencil::runtime::emulator {

/// Of each thread, up to which clock.
struct Clocks {
  /// Of all threads: below this clock.
  uint32_t floor = 0;
  /// By thread; those beyond the end are known up to the floor only.
  std::vector<uint32_t> threads;

  bool has(uint32_t thread, uint32_t clock) const {
    return clock < floor ||
           (thread < threads.size() && clock <= threads[thread]);
  }
  void add(uint32_t thread, uint32_t clock);
  void join(const Clocks &other);
};

enum class Space : uint8_t { Shared, Global };
inline constexpr unsigned kNumSpaces = 2;

struct Known {
  Clocks threads;
  /// Accesses to shared and to global memory that the async proxy sees.
  Clocks proxied[kNumSpaces];
  /// Up to which clock the copies of an agent are complete, by number. There
  /// are few.
  std::vector<std::pair<uint32_t, uint32_t>> agents;
  /// Of other blocks of the launch, by number. Shared by those who know it.
  using Blocks = std::map<uint32_t, Clocks>;
  std::shared_ptr<const Blocks> blocks;

  bool hasAgent(uint32_t agent, uint32_t clock) const {
    for (auto [known, upTo] : agents)
      if (known == agent)
        return clock <= upTo;
    return false;
  }
  bool hasBlock(uint32_t block, uint32_t thread, uint32_t clock) const;
  /// `isBulk`: known to the async proxy, too.
  void addAgent(uint32_t agent, uint32_t clock, bool isBulk);
  /// A proxy fence: the async proxy knows of all agents that `other` does.
  void fenceAgents(const Known &other);
  void addBlock(uint32_t block, const Clocks &clocks);
  void addBlocks(const std::shared_ptr<const Blocks> &others);
  void join(const Known &other);

private:
  void addNumber(uint32_t number, uint32_t clock);
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_KNOWN_H
