//===- Shadow.h - What is known about each byte of memory ---------*- C++
//-*-===//
//
// Beside every region of emulated memory lies a shadow: which bytes have a
// value, and who wrote and read them last. Two accesses race if one of them is
// a write, not both are atomic, and nothing orders them (Order).
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_EMULATOR_SHADOW_H
#define STENCIL_RUNTIME_EMULATOR_SHADOW_H

#include "Known.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stencil::runtime::emulator {

/// Zeroed memory that takes no room before it is touched.
class Mapping {
public:
  Mapping() = default;
  explicit Mapping(size_t bytes);
  ~Mapping();
  Mapping(Mapping &&other) noexcept;
  Mapping &operator=(Mapping &&other) noexcept;

  char *data() const { return start; }
  size_t size() const { return bytes; }
  /// False if there was not enough memory.
  explicit operator bool() const { return start != nullptr; }

private:
  char *start = nullptr;
  size_t bytes = 0;
};

/// Fills memory with a NaN of every floating-point type, signalling in f64.
void poison(void *address, size_t bytes);

/// An access to memory, packed into 16 bytes: the shadow is most of what the
/// emulator needs.
struct Record {
  /// Blocks are numbered through all launches; 0: no access yet.
  uint32_t block = 0;
  /// The thread's clock (Order) when it accessed.
  uint32_t clock = 0;
  /// Location (48 bits), thread in its block (15), atomic (1).
  uint64_t packed = 0;

  Record() = default;
  Record(uint32_t block, uint32_t clock, uint32_t thread, bool atomic,
         const char *location)
      : block(block), clock(clock),
        packed(reinterpret_cast<uint64_t>(location) | uint64_t(thread) << 48 |
               uint64_t(atomic) << 63) {}

  const char *getLocation() const {
    return reinterpret_cast<const char *>(packed & ((uint64_t(1) << 48) - 1));
  }
  uint32_t getThread() const { return packed >> 48 & 0x7fff; }
  bool isAtomic() const { return packed >> 63; }
};

/// The numbers of the blocks of a launch, both included.
struct BlockRange {
  uint32_t first, last;
};

/// Which earlier accesses happened before whatever the running thread does
/// next, or a copy that it issues.
struct Order {
  /// Records of blocks before this one are of earlier launches: those in
  /// `concurrent` are of other streams, which nothing has waited for.
  uint32_t firstBlock;
  uint32_t block;
  uint32_t thread;
  /// Records with other numbers are of asynchronous copies.
  uint32_t numThreads;
  /// What all threads of the block know, and what this one knows beside it.
  const Known *common;
  const Known *own;
  Space space;
  const std::vector<BlockRange> *concurrent = nullptr;
  /// Of a bulk copy: up to which clock the proxy sees the thread's accesses.
  bool isProxied = false;
  uint32_t proxied = 0;

  bool isConcurrent(uint32_t other) const {
    for (size_t i = 0; concurrent && i < concurrent->size(); ++i)
      if ((*concurrent)[i].first <= other && other <= (*concurrent)[i].last)
        return true;
    return false;
  }

  bool isOrdered(const Record &record) const {
    if (record.block != block)
      return isOtherOrdered(record);
    uint32_t other = record.getThread();
    if (other >= numThreads)
      return common->hasAgent(other + isProxied, record.clock) ||
             own->hasAgent(other + isProxied, record.clock);
    if (!isProxied)
      return other == thread || common->threads.has(other, record.clock) ||
             own->threads.has(other, record.clock);
    auto i = static_cast<unsigned>(space);
    return (other == thread && record.clock <= proxied) ||
           common->proxied[i].has(other, record.clock) ||
           own->proxied[i].has(other, record.clock);
  }

private:
  bool isOtherOrdered(const Record &record) const {
    // What other blocks did in shared memory means nothing.
    if (space == Space::Shared)
      return true;
    if (record.block < firstBlock)
      return !isConcurrent(record.block);
    uint32_t other = record.getThread();
    return common->hasBlock(record.block, other, record.clock) ||
           own->hasBlock(record.block, other, record.clock);
  }
};

class Shadow {
public:
  Shadow() = default;
  explicit Shadow(size_t bytes);

  /// False if there was not enough memory.
  explicit operator bool() const { return bool(cells) && bool(defined); }

  void setDefined(size_t offset, size_t bytes, bool value);
  bool isAllDefined(size_t offset, size_t bytes) const;
  bool isAnyDefined(size_t offset, size_t bytes) const;
  /// Adds the parts without a value to `holes`, each as an offset, counted from
  /// `origin` on, and a number of bytes. A sector of 32 bytes has a value if a
  /// part of it has one: around what is in a row, its padding is copied.
  void findHoles(size_t offset, size_t bytes, size_t origin,
                 std::vector<std::pair<size_t, size_t>> &holes) const;

  /// Enters an access; returns one that it races with, or null. The result is
  /// valid until the next call.
  const Record *access(size_t offset, size_t bytes, bool isWrite,
                       const Record &record, const Order &order);

private:
  struct Cell {
    Record write;
    /// Two readers are enough: a writer races with one that is not itself.
    Record reads[2];
  };

  Cell *getCells() const { return reinterpret_cast<Cell *>(cells.data()); }
  void refine(unsigned newLog);
  const Record *enter(Cell &cell, bool isWrite, const Record &record,
                      const Order &order);

  size_t bytes = 0;
  /// A cell is for this many bytes. Smaller accesses than ever before make all
  /// cells smaller.
  unsigned cellLog = 3;
  Mapping cells;
  Mapping defined;
};

} // namespace stencil::runtime::emulator

#endif // STENCIL_RUNTIME_EMULATOR_SHADOW_H
