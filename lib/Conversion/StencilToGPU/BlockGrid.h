//===- BlockGrid.h - Which block computes which tile ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_BLOCKGRID_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_BLOCKGRID_H

#include "KernelBuilder.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil {

/// All offsets in a box from the origin, in steps; by default, of 1.
SmallVector<SmallVector<int64_t>> listOffsets(ArrayRef<int64_t> counts,
                                              ArrayRef<int64_t> steps = {});

/// The base point of a thread, or of one part of its work.
struct BasePoint {
  /// Coordinates, in the kernel's integer type.
  SmallVector<Value> coordinates;
  /// Largest power of two that divides the last coordinate.
  int64_t alignment = 1;
};

/// Cuts a box into tiles, one per block, which may reach beyond it.
class BlockGrid {
public:
  BlockGrid(KernelBuilder &kernel, tile::GridAttr grid)
      : kernel(kernel), math(kernel.math()), grid(grid) {}

  /// The bounds of the domain.
  Value getLb(int64_t axis) const {
    return kernel.getBound(grid.getDomain().getLb()[axis], axis);
  }
  Value getUb(int64_t axis) const {
    return kernel.getBound(grid.getDomain().getUb()[axis], axis);
  }

  /// Blocks per axis, for the kernel; `total` gets the blocks of the grid, on
  /// the host.
  SmallVector<Value> countBlocks(Value &total);
  /// Position of this block along every axis; then the length of its segment is
  /// known.
  SmallVector<Value> findBlock(ArrayRef<Value> counts);
  /// The first coordinate of the tile at a position along an axis.
  Value getTileStart(int64_t axis, Value position);
  /// Planes of a segment of the axis that the kernel walks along.
  Value getSegmentLength();

  /// Whether as many points from `base` on lie in the box; null if they always
  /// do. The axis that the kernel walks along does not count.
  Value isInside(const BasePoint &base, ArrayRef<int64_t> points);

  /// Whether vectors of as many points lie in the box or outside of it.
  bool endsBetween(int64_t length) const;

  /// Loops over the points of a thread from `base` on, in steps; what is inside
  /// is built in the innermost one, for those in the box.
  BasePoint visitPoints(Location loc, const BasePoint &base,
                        ArrayRef<int64_t> steps);

  /// The power of two that divides the coordinate along the last axis at which
  /// a thread's points begin, multiples of `step` from where the tile does; and
  /// a tile.
  int64_t getAlignment(int64_t step) const;
  int64_t getTileAlignment() const {
    return getAlignment(grid.getStep(grid.getRank() - 1));
  }

private:
  std::optional<int64_t> getStart(int64_t axis) const;
  Value getExtent(const Arithmetic &math, BoundValue getBound,
                  int64_t axis) const;
  /// In the kernel.
  Value getExtent(int64_t axis) const {
    return getExtent(math, kernel.listBounds(), axis);
  }
  bool needsTest(int64_t axis, bool upper) const;
  Value countSegments(const Arithmetic &math, Value extent, Value tiles) const;
  /// Segments of most tiles, and of a tail of so many.
  struct Segments {
    Value count, tail, ofTail;
  };
  Segments cutSegments(const Arithmetic &math, Value extent, Value tiles) const;
  bool hasTail() const {
    return grid.getTail() || (grid.getCut() && grid.getCut().getTail() != 0);
  }
  Value countWithTail(const Arithmetic &math, Value tiles) const;
  Value countCut(const Arithmetic &host, Value extent, Value tiles);
  Value findInTail(Value tiles, Value &segment);
  SmallVector<Value> findTile(Value number, ArrayRef<Value> counts,
                              ArrayRef<int64_t> order);

  KernelBuilder &kernel;
  const Arithmetic math;
  tile::GridAttr grid;
  /// Planes of a segment, as the kernel is told them, or of this block; of a
  /// segment of the tail, and the tiles before that, as the kernel is told
  /// them.
  Value cutLength, tailLength, beforeTail;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_BLOCKGRID_H
