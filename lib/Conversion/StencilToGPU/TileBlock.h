//===- TileBlock.h - What a block of a kernel has ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEBLOCK_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEBLOCK_H

#include "BlockGrid.h"
#include "Window.h"

namespace stencil {

/// Where an iteration is in the rings of one number of slots.
struct TileCursor {
  Value slot, parity;
  /// The number of the iteration, if somebody needs the plane's coordinate.
  Value number;
};

/// A ring in the memory of a block.
struct TileRing {
  tile::RingType type;
  /// All elements in a row; of a relay, those of the first leg come first.
  Value elements;
  /// Where it begins in the memory of the block, in bytes.
  int64_t offset = 0;
  /// Where the first point of each of a thread's groups of points is in a slot.
  SmallVector<Value> positions;
  tile::RingPlaces places;
  /// Elements that a thread reads at once, at multiples of as many from its
  /// first point.
  int64_t vectorLength = 1;
  /// The first plane of the first iteration that is copied to it; it has the
  /// first slot.
  int64_t firstPlane = 0;
};

/// What all that is emitted for a tile.kernel refers to: its arguments, numbers
/// and rings, where the block and the thread are, and the walk.
class TileBlock {
public:
  TileBlock(tile::KernelOp op, KernelSet &kernels);

  tile::KernelOp op;
  KernelSet &kernels;
  /// The tiles of all blocks, and which of them this block has.
  tile::GridAttr tiles;
  KernelBuilder kernel;
  /// In the kernel.
  const Arithmetic math;
  BlockGrid grid;
  std::optional<int64_t> walk;
  Value errorWord;
  /// By argument.
  DenseMap<Value, KernelField> fields;
  /// Numbers of the kernel; indices in its integer type.
  DenseMap<Value, Value> numbers;
  DenseMap<Value, TileCursor> cursors;
  DenseMap<Value, TileRing> rings;
  /// Per axis: the thread's position in its block, the tile's first coordinate.
  SmallVector<Value> threads, tileStart;
  Value threadNumber, isFirst, blocks;
  /// Of a relay: which leg the thread has, and planes that it is ahead of the
  /// block's; null if there is one only.
  Value leg, legLead;
  /// Coordinates along the walk, and how many iterations there are.
  Value segmentStart, segmentEnd, firstPlane, iterations, hasPlanes;
  int64_t lookback = 0;
  /// Some stage asks for its coordinate along the walk, or may.
  bool needsPlanes = false;

  void addArguments();
  /// Says which axis of the kernel each axis of a field is.
  void setAxes(KernelField &field, ArrayRef<int64_t> axes);
  /// Where the block's tile and segment, and the thread in them, are.
  void findTile();
  void beginSegment(tile::SegmentOp segment);

  /// What a number of the kernel became; an index, in the kernel's integers.
  Value getNumber(Value value);
  /// The plane p of an iteration, from its coordinate or a cursor.
  Value getPlane(Value iteration);
  /// The number of the iteration for a plane, counted from 0.
  Value getIteration(Value plane);
  /// The slot of plane p + `plane`, from the cursor of plane p.
  Value getRingSlot(Value cursor, const TileRing &ring, int64_t plane);
  /// How far a point is from the thread's first one in a slot, in elements;
  /// nothing if the ring does not have it.
  std::optional<int64_t> findInSlot(const TileRing &ring,
                                    ArrayRef<int64_t> offset) const;
  /// Whether all that is read is read in the caches of the hardware.
  bool isOfCaches() const { return !walk && rings.empty(); }
  auto listRings() { return op.getBodyBlock()->getOps<tile::RingOp>(); }
  /// Whether the kernel stores to the field that an argument is.
  bool isStored(Value field) const;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEBLOCK_H
