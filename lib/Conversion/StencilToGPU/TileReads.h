//===- TileReads.h - What a thread has read of rings ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEREADS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEREADS_H

#include "ThreadValues.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil {

/// Where something lies that was loaded from shared memory: the oldest plane
/// first, then by window, then by rows.
using ReadPlace = std::tuple<int64_t, unsigned, int64_t>;

/// A thread computes its points one after the other. What several of them read
/// then waits in registers from the first to the last one. If sums of many
/// points are added at once instead, row by row as values come from shared
/// memory, a value is done with as soon as it is there, and what waits are
/// sums: 83 instead of 240 values for eight points of a cube of 125.
///
/// Puts the ops of [begin, end), of one block, in another order: what
/// has been loaded, the oldest plane first, row by row, and each op as soon as
/// its operands are there: `getPlace` is null for what is no such load. No
/// value is computed otherwise than before. Does nothing if at most `registers`
/// of 32 bits are taken as it is, if the other order takes no fewer, and if
/// there are ops with effects other than such loads and stores.
void orderByArrival(Block::iterator begin, Block::iterator end,
                    function_ref<const ReadPlace *(Operation *)> getPlace,
                    int64_t registers);

/// The values of rings that a thread has read, in vectors where they can be.
class TileReads {
public:
  /// What is read in `block` itself is kept, not what is in its branches.
  TileReads(ThreadValues &held, Block *block) : held(held), block(block) {}

  /// What is known, for what is emitted in `inner`, a block in this one.
  TileReads in(Block *inner) const {
    TileReads copy = *this;
    copy.block = inner;
    return copy;
  }

  /// The value of a ring in a plane of an iteration, at an offset from the
  /// thread's first point.
  Value get(OpBuilder &builder, Value ring, Value cursor, int64_t plane,
            ArrayRef<int64_t> offset);

  Block *getBlock() const { return block; }

  /// The ring is written again.
  void forget(Value ring) {
    for (auto it = loaded.begin(); it != loaded.end();)
      it = std::get<0>(it->first.first) == ring.getAsOpaquePointer()
               ? loaded.erase(it)
               : std::next(it);
  }

  /// Null if an op is none of the loads that are kept.
  const ReadPlace *getPlace(Operation *load) const {
    auto it = places.find(load);
    return it == places.end() ? nullptr : &it->second;
  }

private:
  using Plane = std::tuple<void *, void *, int64_t>;

  Value getBase(Block *at, Value ring, Value cursor, int64_t plane);

  ThreadValues &held;
  Block *block;
  DenseMap<Operation *, ReadPlace> places;
  std::map<Plane, Value> bases;
  /// The same in the branch of `block` that was read in last, for points of a
  /// group.
  std::pair<Block *, TilePoints *> branch = {nullptr, nullptr};
  std::map<Plane, Value> branchBases;
  std::map<std::pair<Plane, int64_t>, Value> loaded;
  /// Of rings, in the order in which they were first read.
  DenseMap<Value, unsigned> numbers;
};

/// What has been read in the block of ops that is being emitted, for a thread's
/// own points.
class OwnReads {
public:
  explicit OwnReads(ThreadValues &held) : held(held) {}

  TileReads &get() {
    Block *block = held.block.kernel.body().getInsertionBlock();
    if (!reads || reads->getBlock() != block)
      reads.emplace(held, block);
    return *reads;
  }
  /// A ring is written again. Of a walk, another plane comes, and takes the
  /// place of one that nobody reads any more.
  void forget(Value ring) {
    if (reads && !held.block.walk)
      reads->forget(ring);
  }

private:
  ThreadValues &held;
  std::optional<TileReads> reads;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEREADS_H
